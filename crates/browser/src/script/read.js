// Reading elements.

// One element that is there, visible or not: what `read` gives.
const one = async (steps, deadline, read) =>
  until(deadline, async (note) => {
    const elements = queryAll(steps);
    if (elements.length > 1) return strict(elements);
    return elements.length === 0 ? note('no element matches the locator') : { ok: await read(elements[0]) };
  });

// The element itself, or a window of it: what `read` gives, told from data.
const oneHandle = async (steps, deadline, read) =>
  until(deadline, (note) => {
    const elements = queryAll(steps);
    if (elements.length > 1) return strict(elements);
    if (elements.length === 0) return note('no element matches the locator');
    const handle = read(elements[0], note);
    return handle === null ? null : { handle: [handle] };
  });

const contentFrame = ({ steps, deadline }) =>
  oneHandle(steps, deadline, (element, note) => {
    if (!('contentWindow' in element)) throw new Unsuitable(`${describe(element)} is no frame; name an <iframe>`);
    return element.contentWindow ?? note(`${describe(element)} has no document`);
  });

const innerText = (element) => (element instanceof HTMLElement ? innerTextOf(element) : textContentOf(element));

// Whether the element is in a state now. One that is not there is hidden, and nothing else.
const stateNow = ({ steps, state: asked, deadline }) => {
  if (asked !== 'visible' && asked !== 'hidden') return one(steps, deadline, readers[asked]);
  const elements = queryAll(steps);
  if (elements.length > 1) return strict(elements);
  const visible = elements.length === 1 && isVisible(elements[0]);
  return { ok: visible === (asked === 'visible') };
};

const boxOfElement = (element) => {
  if (element.getClientRects().length === 0) return null;
  const { x, y, width, height } = boxOf(element);
  return { x, y, width, height };
};

const readers = {
  text: (element) => textContentOf(element),
  innerText,
  innerHtml: (element) => innerHtmlOf(element),
  value: valueOf,
  box: boxOfElement,
  enabled: (element) => isEnabled(element),
  disabled: (element) => !isEnabled(element),
  editable: (element) => isEditable(element),
  checked: (element) => checkedOf(element) === true,
  focused: (element) => isFocused(element),
};

const readAll = {
  texts: (element) => textContentOf(element),
  innerTexts: innerText,
};

const sourceOf = () => {
  const doctype = doctypeOf(document);
  const root = documentElementOf(document);
  return (doctype ? new XMLSerializer().serializeToString(doctype) : '') + (root ? outerHtmlOf(root) : '');
};

// A snapshot that differs from the one of hash `unlike`: the test side compares, and asks again after a change.
const snapshotUnlike = ({ steps, options, unlike, deadline }) =>
  until(deadline, (note) => {
    const elements = queryAll(steps);
    if (elements.length > 1) return strict(elements);
    if (elements.length === 0) return note('the element is not there');
    const json = aria.snapshot(elements[0], options);
    const hash = hashOf(json);
    return hash === unlike ? null : { ok: { json, hash } };
  });

// Two 32-bit halves: enough to tell a changed snapshot.
const hashOf = (text) => {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return `${a >>> 0}.${b >>> 0}`;
};
