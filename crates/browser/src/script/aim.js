// Before an action: wait until a person could do it, then say where.

const sameBox = (a, b) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

const isMoving = () => document.getAnimations().some((animation) => animation.playState === 'running');

// While animations run: whether the element has the same place in two frames that follow each other. What scripts move is
// the guard's to catch.
const isStable = async (element) => {
  if (!isMoving()) return null;
  const boxes = [];
  for (let i = 0; i < 2; i++) {
    if ((await Promise.race([frame(), timer(1000)])) === undefined) return 'the page draws no frames: its window is hidden';
    boxes.push(boxOf(element));
  }
  return sameBox(boxes[0], boxes[1]) ? null : 'the element is moving';
};

// Also what has no area but shows something that overflows it.
const isShown = (element) =>
  isVisible(element) ||
  (isConnectedOf(element) && checkVisibilityOf(element, { visibilityProperty: true }) && shownRects(element).length > 0);

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

// What `needs` of an action by pointer.
const POINTED = { visible: true, enabled: true, stable: true };

// Answers with the point to act at, and puts the guard up for what will happen there.
const aim = ({ steps, guard: kind, offset, force, trial, deadline, ...more }) => {
  const needs = force ? {} : kind === 'press' ? POINTED : { ...POINTED, enabled: false };
  return ready(steps, deadline, needs, (element, note) => {
    const { point, obstacle } = pointFor(element, offset, (hit) => force || kind === 'none' || isHitOf(hit, element));
    if (obstacle) return note(obstacle);
    if (force || trial || kind === 'none') return { ok: point };
    const token = arm(deadline, { kind, steps, target: element, point, ...more });
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
        if (!inViewport(at)) scrollBy({ left: at.x - clientWidth / 2, top: at.y - clientHeight / 2, behavior: 'instant' });
      }
      const point = outOfFrame(iframe, { x, y });
      if (!inViewport(point)) continue;
      const hit = elementAt(point);
      if (force || hit === iframe) return { ok: { ...point, token: armed ? arm(deadline, { kind: 'press', clicks: armed }) : null } };
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

const takeFocus = (element) => {
  if (isWithin(deepActive(), element)) return;
  element.focus();
  if (!isWithin(deepActive(), element)) {
    throw new Unsuitable(`${describe(element)} can't take the focus; use an element that can`);
  }
};

// Gives the element the focus, and puts the guard up for the keys that follow.
const focus = ({ steps, keys, deadline }) =>
  ready(steps, deadline, { visible: true, enabled: true, control: true }, (element) => {
    takeFocus(element);
    return { ok: keys ? { token: arm(deadline, { kind: 'key', steps, target: element }) } : null };
  });
