// The commands the test side calls.

// One element that is there, visible or not.
const one = async (steps, deadline, read) =>
  until(deadline, (note) => {
    const elements = queryAll(steps);
    if (elements.length > 1) return strict(elements);
    return elements.length === 0 ? note('no element matches the locator') : { ok: read(elements[0]) };
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

const commands = {
  point,
  focus,
  fill,
  expect,
  count: ({ steps }) => ({ ok: queryAll(steps).length }),
  isVisible: ({ steps }) => {
    const elements = queryAll(steps);
    return elements.length > 1 ? strict(elements) : { ok: elements.length === 1 && isVisible(elements[0]) };
  },
  text: ({ steps, deadline }) => one(steps, deadline, (element) => element.textContent),
  value: ({ steps, deadline }) => one(steps, deadline, valueOf),
  attribute: ({ steps, name, deadline }) => one(steps, deadline, (element) => element.getAttribute(name)),
  snapshot: ({ steps, options, deadline }) => one(steps, deadline, (element) => aria.snapshot(element, options)),
  url: () => ({ ok: document.URL }),
  title: () => ({ ok: document.title }),
  frameName: () => ({ ok: window.name }),
  content: () => ({ ok: (document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '') + (document.documentElement?.outerHTML ?? '') }),
  contentFrame: ({ steps, deadline }) =>
    oneHandle(steps, deadline, (element, note) => {
      if (!('contentWindow' in element)) throw new Unsuitable(`${describe(element)} is no frame; name an <iframe>`);
      return element.contentWindow ?? note(`${describe(element)} has no document`);
    }),
  node: ({ steps, deadline }) => oneHandle(steps, deadline, (element) => element),
};

globalThis.browserScript = async (name, json) => {
  try {
    const answer = await commands[name](JSON.parse(json));
    return answer.handle ?? (await packed(JSON.stringify(answer)));
  } catch (error) {
    if (error instanceof Unsuitable) return JSON.stringify({ unsuitable: error.message });
    throw error;
  }
};
