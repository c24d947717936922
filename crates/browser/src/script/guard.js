// Between the look at an element and the event on it the page may move, replace or cover it. The guard stands before
// the page's own listeners: a press that would hit something else is swallowed whole, and the action looks anew.

const DOWN = ['pointerdown', 'mousedown', 'touchstart'];
const UP = ['pointerup', 'mouseup', 'touchend'];
const CLICKS = ['click', 'auxclick', 'dblclick', 'contextmenu'];
const POINTER_EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', ...CLICKS];
const TOUCH_EVENTS = ['touchstart', 'touchend'];
const MOVE_EVENTS = ['pointermove', 'mousemove'];
const KEY_EVENTS = ['keydown', 'keypress', 'beforeinput', 'keyup'];

let guard = null;
let guards = 0;

// What the element under a press must be, when the one that was looked at may have been replaced by its like.
const isHit = (event) => {
  const [innermost] = event.composedPath();
  if (!(innermost instanceof Element)) return 'the document';
  // Paths end at closed shadow trees.
  const hit = shadowOf(innermost) ? elementAt({ x: event.clientX, y: event.clientY }) : innermost;
  return isTaken(hit) ? null : describe(hit);
};

const isTaken = (hit) => {
  if (guard.again === null) return false;
  if (isConnectedOf(guard.target) && isHitOf(hit, guard.target)) return true;
  const now = guard.again();
  if (now === null || now === guard.target || !isHitOf(hit, now)) return false;
  guard.target = now;
  return true;
};

const isAtPoint = ({ clientX, clientY }) => isTaken(elementAt({ x: clientX, y: clientY }));

const swallow = (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
};

const conclude = (verdict) => {
  guard.resolve(verdict);
  guard = null;
};

// After what the browser still does of the same input.
const concludeSoon = (of, verdict) => {
  setTimeout(() => {
    if (guard === of) conclude(verdict());
  });
};

const missed = (instead) => ({ missed: `${instead} was hit instead: the page changed at the moment of the action` });

const onPress = {
  down: (event) => {
    if (guard.phase === 'armed') {
      guard.instead = isHit(event);
      guard.phase = guard.instead === null ? 'pressed' : 'refused';
      guard.steady = isAtPoint(event);
      if (guard.phase === 'pressed' && guard.until === 'down') {
        conclude({ done: true });
        return;
      }
    }
    if (guard.phase === 'refused') swallow(event);
  },
  up: (event) => {
    if (guard.phase === 'armed') return;
    if (guard.phase === 'refused') swallow(event);
    if (event.type !== (guard.touch ? 'touchend' : 'pointerup') || ++guard.releases < guard.clicks) return;
    if (guard.phase === 'refused') {
      concludeSoon(guard, () => missed(guard.instead));
    } else if (!guard.touch) {
      // No click: what the press hit is gone. That was the page's answer to the press, or it came in between.
      const { moved } = guard;
      concludeSoon(guard, () => (moved ? { done: true } : missed('what replaced the element')));
    }
  },
  click: (event) => {
    if (guard.phase === 'armed') return;
    if (guard.phase === 'refused') {
      swallow(event);
      return;
    }
    if (event.type === 'click' && !guard.clicked) {
      guard.clicked = true;
      const instead = guard.moved || event.detail === 0 ? null : isHit(event);
      if (instead !== null) {
        guard.phase = 'refused';
        guard.instead = instead;
        swallow(event);
        concludeSoon(guard, () => missed(instead));
        return;
      }
    }
    const last = guard.button > 0 ? 'auxclick' : guard.clicks === 2 ? 'dblclick' : 'click';
    if (event.type !== last) return;
    if (last !== 'click' || event.detail >= guard.clicks || guard.touch) conclude({ done: true });
  },
};

const onPointer = (event) => {
  if (guard?.kind !== 'press' || !event.isTrusted || performance.now() > guard.end) return;
  onPress[DOWN.includes(event.type) ? 'down' : UP.includes(event.type) ? 'up' : 'click'](event);
};

// Last in line: what the page did on the press itself is the page's will.
const afterPress = (event) => {
  if (guard?.kind !== 'press' || guard.phase !== 'pressed' || guard.clicked || !event.isTrusted) return;
  guard.moved ||= guard.steady && !isAtPoint(event);
};

const onMove = (event) => {
  if (guard?.kind !== 'hover' || !event.isTrusted) return;
  // Browsers send moves of their own when the page moves under a mouse at rest.
  if (Math.abs(event.clientX - guard.point.x) > 1 || Math.abs(event.clientY - guard.point.y) > 1) return;
  const instead = isHit(event);
  conclude(instead === null ? { done: true } : missed(instead));
};

const onKey = (event) => {
  if (guard?.kind !== 'key' || !event.isTrusted || performance.now() > guard.end) return;
  if (guard.phase === 'armed' && event.type === 'keydown') {
    const [innermost] = event.composedPath();
    const hit = innermost instanceof Element && shadowOf(innermost) ? deepActive() : innermost;
    if (hit instanceof Element && isKeyed(hit)) {
      conclude({ done: true });
      return;
    }
    guard.phase = 'refused';
    guard.instead = hit instanceof Element ? describe(hit) : 'the document';
  }
  if (guard.phase === 'refused') swallow(event);
};

const isKeyed = (hit) => {
  if (isConnectedOf(guard.target) && isWithin(hit, guard.target)) return true;
  const now = guard.again();
  return now !== null && isWithin(hit, now);
};

const listen = () => {
  // Again for each action: `document.open` takes all listeners away.
  for (const type of POINTER_EVENTS) addEventListener(type, onPointer, { capture: true });
  for (const type of MOVE_EVENTS) addEventListener(type, onMove, { capture: true, passive: true });
  for (const type of KEY_EVENTS) addEventListener(type, onKey, { capture: true });
  for (const type of ['pointerdown', 'mousedown']) addEventListener(type, afterPress);
};
listen();

const listenToTouch = (on) => {
  // Only while needed: pages scroll slower with such listeners.
  const change = on ? addEventListener : removeEventListener;
  for (const type of TOUCH_EVENTS) change(type, onPointer, { capture: true, passive: false });
};

// Input that was sent at the last moment comes after the deadline. Later than this nobody asks for the verdict any more.
const GUARD_GRACE = 10_000;

// Puts a guard up; the one before it is over. `target` is what must be hit, or what `again` gives when it was replaced;
// without both, nothing may be.
const arm = (deadline, more) => {
  guard?.resolve(missed('something'));
  listen();
  const token = ++guards;
  const promise = Promise.withResolvers();
  // A verdict may be asked for a moment after it was given.
  const last = { token, promise: promise.promise };
  lastGuard = last;
  guard = { token, again: null, phase: 'armed', releases: 0, clicked: false, moved: false, ...more };
  guard.end = performance.now() + deadline + GUARD_GRACE;
  guard.resolve = promise.resolve;
  if (guard.touch) {
    listenToTouch(true);
    promise.promise.finally(() => listenToTouch(false));
  }
  return token;
};

let lastGuard = { token: 0, promise: null };

const GONE = { ok: { missed: 'the document was replaced' } };

// What became of the action of this guard, once it is known.
const verdict = async ({ token }) => (token === lastGuard.token ? { ok: await lastGuard.promise } : GONE);

const LATE = 300;

// All input was sent: what has not come by now will not come.
const endGuard = async ({ token }) => {
  if (token !== lastGuard.token) return GONE;
  // A mouse that is there already sends no move.
  const isOver = guard?.kind === 'hover' && guard.target.matches(':hover');
  const isKnown = isOver || guard?.phase === 'refused' || guard?.again === null;
  await Promise.race([lastGuard.promise, timer(isKnown ? 0 : LATE)]);
  if (guard?.token === token) {
    const { kind, phase, instead, target } = guard;
    if (phase === 'refused') conclude(missed(instead));
    else if (phase === 'pressed' || (kind === 'hover' && target.matches(':hover'))) conclude({ done: true });
    else conclude({ missed: 'the input did not reach the document: something outside is in the way', silent: true });
  }
  return { ok: await lastGuard.promise };
};
