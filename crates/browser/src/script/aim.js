// Before an action: wait until a person could do it, then say where.

const sameBox = (a, b) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

const isMoving = () => document.getAnimations().some((animation) => animation.playState === 'running');

// While animations run: whether the element has the same place in two frames that follow each other. What scripts move
// is the guard's to catch.
const isStable = async (element) => {
  if (!isMoving()) return null;
  const boxes = [];
  for (let i = 0; i < 2; i++) {
    const drawn = await Promise.race([frame(), timer(1000)]);
    if (drawn === undefined) return 'the page draws no frames: its window is hidden';
    boxes.push(boxOf(element));
  }
  return sameBox(boxes[0], boxes[1]) ? null : 'the element is moving';
};

// Also what has no area but shows something that overflows it.
const isShown = (element) =>
  isVisible(element) ||
  (checkVisibilityOf(element, { visibilityProperty: true }) && shownRects(element).length > 0);

// What is enabled in a disabled button can't be used.
const isUsable = (element) => isEnabled(element) && isEnabled(activatedBy(controlOf(element)) ?? element);

// Waits for one element that meets `needs`; then what `act` gives with it, unless that is null.
const ready = (steps, deadline, needs, act) =>
  until(deadline, async (note) => {
    const elements = queryAll(steps);
    if (elements.length > 1) return strict(elements);
    if (elements.length === 0) return note('no element matches the locator');
    const element = needs.control ? controlOf(elements[0]) : elements[0];
    if (needs.visible && !isShown(element)) {
      if (localNameOf(element) === 'option') {
        throw new Unsuitable(`${describe(element)} is shown by its <select>; use select_option there`);
      }
      return note(`${describe(element)} is hidden`);
    }
    if (needs.enabled && !isUsable(element)) return note(`${describe(element)} is disabled`);
    if (needs.stable) {
      const unstable = await isStable(element);
      if (unstable !== null) return note(unstable);
      if (!isConnectedOf(element)) return note(`${describe(element)} was replaced`);
    }
    return act(element, note);
  });

// Whether the browser itself drags it.
const isDraggable = (element) => {
  for (let at = element; at; at = parentAcross(at)) if (at.draggable) return true;
  return false;
};

// The element that the steps name now.
const onlyOne = (steps) => {
  const elements = queryAll(steps);
  return elements.length === 1 ? elements[0] : null;
};

// What an action by pointer needs.
const POINTED = { visible: true, enabled: true, stable: true };

// Answers with the point to act at, and puts the guard up for what will happen there.
const aim = ({ steps, guard: kind, offset, force, trial, deadline, ...more }) => {
  const needs = force ? {} : kind === 'press' ? POINTED : { ...POINTED, enabled: false };
  return ready(steps, deadline, needs, (element, note) => {
    const { point, obstacle } = pointFor(element, offset, (hit) => force || kind === 'none' || isHitOf(hit, element));
    if (obstacle) return note(obstacle);
    if (force || trial || kind === 'none') return { ok: point };
    const token = arm(deadline, { kind, target: element, again: () => onlyOne(steps), point, ...more });
    return { ok: { ...point, token, draggable: more.until === 'down' && isDraggable(element) } };
  });
};

// The way of a point of a frame's document to the viewport around the frame: nothing may lie over the frame there.
const gate = ({ x, y, force, armed, deadline }, iframe) =>
  until(deadline, (note) => {
    let obstacle = 'the frame is outside the viewport';
    for (const alignment of ALIGNMENTS) {
      if (alignment !== null) {
        scrollTo(iframe, alignment);
        // Of a frame taller than the viewport the point itself.
        const { clientWidth, clientHeight } = documentElementOf(document);
        const at = outOfFrame(iframe, { x, y });
        const by = { left: at.x - clientWidth / 2, top: at.y - clientHeight / 2, behavior: 'instant' };
        if (!inViewport(at)) scrollBy(by);
      }
      const point = outOfFrame(iframe, { x, y });
      if (!inViewport(point)) continue;
      const hit = elementAt(point);
      if (force || hit === iframe) {
        const token = armed ? arm(deadline, { kind: 'press', clicks: armed }) : null;
        return { ok: { ...point, token } };
      }
      obstacle = `${hit ? describe(hit) : 'nothing'} would be hit instead of ${describe(iframe)}`;
    }
    return note(obstacle);
  });

// Takes a guard away that has nothing more to guard.
const disarm = ({ token }) => {
  if (guard?.token === token) conclude({ done: true });
  return { ok: null };
};

const deepActive = () => {
  let active = activeElementOf(document);
  for (let root = active && shadowOf(active); root?.activeElement; root = shadowOf(active)) active = root.activeElement;
  return active;
};

// Whether the element has the focus now. The page may have passed it on.
const takesFocus = (element) => {
  if (!isWithin(deepActive(), element)) element.focus();
  if (isWithin(deepActive(), element)) return true;
  if (element.tabIndex >= 0 || element.isContentEditable) return false;
  throw new Unsuitable(`${describe(element)} can't take the focus; use an element that can`);
};

// Gives the element the focus, and puts the guard up for the keys that follow.
const focus = ({ steps, keys, deadline }) =>
  ready(steps, deadline, { visible: true, enabled: true, control: true }, (element, note) => {
    if (!takesFocus(element)) return note(`${describe(element)} does not keep the focus`);
    if (!keys) return { ok: null };
    const again = () => {
      const now = onlyOne(steps);
      return now && controlOf(now);
    };
    return { ok: { token: arm(deadline, { kind: 'key', target: element, again }) } };
  });
