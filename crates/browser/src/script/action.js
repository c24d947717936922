// Before an action: wait until a person could do it, then say where.

const sameBox = (a, b) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

// Whether the element has the same place in two frames that follow each other.
const isStable = async (element) => {
  const boxes = [];
  for (let i = 0; i < 2; i++) {
    if ((await Promise.race([frame(), timer(1000)])) === undefined) return 'the page draws no frames: its window is hidden';
    boxes.push(element.getBoundingClientRect());
  }
  return sameBox(boxes[0], boxes[1]) ? null : 'the element is moving';
};

// The middle of the element's first visible part, in viewport coordinates.
const middle = (element) => {
  const width = document.documentElement.clientWidth;
  const height = document.documentElement.clientHeight;
  for (const box of element.getClientRects()) {
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    const right = Math.min(box.right, width);
    const bottom = Math.min(box.bottom, height);
    if (right - left >= 1 && bottom - top >= 1) return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }
  return null;
};

const elementAt = ({ x, y }) => {
  let hit = document.elementFromPoint(x, y);
  while (hit && shadowOf(hit)) {
    const inner = shadowOf(hit).elementFromPoint(x, y);
    if (inner === null || inner === hit) break;
    hit = inner;
  }
  return hit;
};

const isWithin = (inner, outer) => {
  for (let at = inner; at; at = at.assignedSlot ?? parentAcross(at)) {
    if (at === outer) return true;
  }
  return false;
};

// Waits for one element that meets `needs`; gives the element.
const ready = async (steps, needs, deadline) =>
  until(deadline, async (note) => {
    const elements = queryAll(steps);
    if (elements.length > 1) return strict(elements);
    if (elements.length === 0) return note('no element matches the locator');
    const [element] = elements;
    if (!isVisible(element)) return note(`${describe(element)} is hidden`);
    if (needs.enabled && !isEnabled(element)) return note(`${describe(element)} is disabled`);
    if (needs.editable) {
      if (fillKind(element) === null) {
        throw new Unsuitable(`${describe(element)} takes no text; fill an <input>, a <textarea> or an editable element`);
      }
      if (element.readOnly) return note(`${describe(element)} is read-only`);
    }
    if (!needs.point) return { element };
    const unstable = await isStable(element);
    if (unstable !== null) return note(unstable);
    if (middle(element) === null) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const point = middle(element);
    if (point === null) return note(`${describe(element)} can't be scrolled into view`);
    const hit = elementAt(point);
    if (hit === null || !isWithin(hit, element)) {
      return note(`${hit ? describe(hit) : 'nothing'} would be clicked instead of ${describe(element)}`);
    }
    return { element, point };
  });

const point = async ({ steps, deadline }) => {
  const found = await ready(steps, { enabled: true, point: true }, deadline);
  return found.element ? { ok: found.point } : found;
};

const focus = async ({ steps, deadline }) => {
  const found = await ready(steps, { enabled: true }, deadline);
  if (!found.element) return found;
  found.element.focus();
  if (!isFocused(found.element) && !found.element.contains(document.activeElement)) {
    throw new Unsuitable(`${describe(found.element)} can't take the focus; use an element that can`);
  }
  return { ok: null };
};

// Replaces the content as an edit of the user: the page gets trusted input events, one a line.
const fill = async ({ steps, text, deadline }) => {
  const found = await ready(steps, { enabled: true, editable: true }, deadline);
  if (!found.element) return found;
  const { element } = found;
  const kind = fillKind(element);
  element.focus();
  if (kind === 'value') {
    element.value = text;
    if (element.value !== text) {
      throw new Unsuitable(`${describe(element)} does not accept ${JSON.stringify(text)}; give it in the form of its type`);
    }
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return { ok: null };
  }
  if (kind === 'content') {
    getSelection().selectAllChildren(element);
  } else {
    element.select();
  }
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  return { ok: null };
};
