// Where an element can be hit, and what would be hit.

// What a click on a part of it activates: a click on the icon of a button is a click on the button.
const ACTIVATED =
  'button, a[href], area[href], summary, label, select, input, textarea, option, [role="button"], [role="link"], ' +
  '[role="tab"], [role="menuitem"], [role="menuitemcheckbox"], [role="menuitemradio"], [role="option"], ' +
  '[role="checkbox"], [role="radio"], [role="switch"], [role="treeitem"]';

// The element or the host around it that a click on it activates.
const activatedBy = (element) => {
  for (let at = element; at; at = parentAcross(at)) if (matchesCss(at, ACTIVATED)) return at;
  return null;
};

const labelAround = (element) => {
  for (let at = element; at; at = parentAcross(at)) if (localNameOf(at) === 'label') return at;
  return null;
};

// The control of the label that the element is in.
const labelledBy = (element) => {
  const label = labelAround(element);
  return label === null ? null : labelControlOf(label);
};

// A label stands for its control.
const controlOf = (element) => labelledBy(element) ?? element;

const isWithin = (inner, outer) => {
  for (let at = inner; at; at = slotOf(at) ?? parentAcross(at)) if (at === outer) return true;
  return false;
};

// Whether a person who hits `hit` has hit `target`.
const isHitOf = (hit, target) => {
  if (hit === null) return false;
  if (isWithin(hit, target)) return true;
  const activated = activatedBy(target);
  if (activated !== null && activatedBy(hit) === activated) return true;
  return labelledBy(hit) === target;
};

// The innermost element at a point, into shadow trees.
const elementAt = ({ x, y }) => {
  let hit = document.elementFromPoint(x, y);
  for (let root = hit && shadowOf(hit); root; root = shadowOf(hit)) {
    const inner = root.elementFromPoint(x, y);
    if (inner === null || inner === hit) break;
    hit = inner;
  }
  return hit;
};

const hasArea = ({ width, height }) => width > 0 && height > 0;

const rectsOf = (element) => [...clientRectsOf(element)].filter(hasArea);

const MANY = 64;

// The rectangles that show the element: its own, or those of what overflows it when it has no area.
const shownRects = (element) => {
  const own = rectsOf(element);
  if (own.length > 0) return own;
  const inner = [...allIn(element, '*')].slice(0, MANY);
  const isRendered = (at) => checkVisibilityOf(at, { visibilityProperty: true });
  if (inner.length > 0) return inner.filter(isRendered).flatMap(rectsOf);
  if (getComputedStyle(element).display !== 'contents') return [];
  // Nothing but text without a box around it.
  const range = document.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()].filter(hasArea);
};

const inViewport = ({ x, y }) => {
  const { clientWidth, clientHeight } = documentElementOf(document);
  return x >= 0 && y >= 0 && x < clientWidth && y < clientHeight;
};

// A point on the line of a shape that its middle misses.
const onTheLine = (shape) => {
  const matrix = shape.getScreenCTM();
  if (matrix === null) return [];
  return [0.5, 0.25, 0.75].map((part) => {
    const { x, y } = shape.getPointAtLength(shape.getTotalLength() * part).matrixTransform(matrix);
    return { x, y };
  });
};

// Points that a person would aim at, the best first: the middle of each visible part, or the offset asked for.
const pointsOf = (element, offset) => {
  if (offset) {
    const { left, top } = boxOf(element);
    return [{ x: left + offset.x, y: top + offset.y }].filter(inViewport);
  }
  const { clientWidth, clientHeight } = documentElementOf(document);
  const points = [];
  for (const rect of shownRects(element).slice(0, MANY)) {
    const [left, top] = [Math.max(rect.left, 0), Math.max(rect.top, 0)];
    const [right, bottom] = [Math.min(rect.right, clientWidth), Math.min(rect.bottom, clientHeight)];
    // Parts of a pixel at the edge can't be aimed at, unless there is no more.
    const [width, height] = [right - left, bottom - top];
    if (width <= 0 || height <= 0 || width < Math.min(1, rect.width) || height < Math.min(1, rect.height)) continue;
    points.push({ x: (left + right) / 2, y: (top + bottom) / 2 });
  }
  if (element instanceof SVGGeometryElement) points.push(...onTheLine(element).filter(inViewport));
  return points;
};

// First where it is; then as a person scrolls to get it out from under bars at the edges.
const ALIGNMENTS = [null, 'center', 'end', 'start'];

const scrollTo = (element, block, offset) => {
  const shown = getComputedStyle(element).display === 'contents' ? firstElementOf(element) : element;
  scrollToOf(shown ?? element, { block, inline: block === 'center' ? 'center' : 'nearest', behavior: 'instant' });
  if (!offset) return;
  // The part asked for may lie outside while the element is in view.
  const { left, top } = boxOf(element);
  const { clientWidth, clientHeight } = documentElementOf(document);
  const [x, y] = [left + offset.x, top + offset.y];
  if (!inViewport({ x, y })) scrollBy({ left: x - clientWidth / 2, top: y - clientHeight / 2, behavior: 'instant' });
};

// The point to act at: `{ point }`, or `{ obstacle }` in words.
const pointFor = (element, offset, takes) => {
  let hit;
  for (const alignment of ALIGNMENTS) {
    if (alignment !== null) scrollTo(element, alignment, offset);
    for (const point of pointsOf(element, offset)) {
      hit = elementAt(point);
      if (takes(hit)) return { point };
    }
  }
  if (hit === undefined) return { obstacle: `${describe(element)} can't be scrolled into view` };
  return { obstacle: `${hit ? describe(hit) : 'nothing'} would be hit instead of ${describe(element)}` };
};

// The part of a transform that moves nothing: how lengths of the element's own box look in the viewport.
const linearOf = (element) => {
  let matrix = new DOMMatrix();
  for (let at = element; at; at = slotOf(at) ?? parentAcross(at)) {
    const { transform, rotate, scale } = getComputedStyle(at);
    const parts = [
      rotate === 'none' || rotate.includes(' ') ? '' : `rotate(${rotate})`,
      scale === 'none' ? '' : `scale(${scale.split(' ').slice(0, 2).join(',')})`,
      transform === 'none' ? '' : transform,
    ];
    const own = new DOMMatrix(parts.filter((part) => part !== '').join(' '));
    matrix = own.multiply(matrix);
  }
  const { a, b, c, d } = matrix;
  return { a, b, c, d };
};

// From a point of a frame's document to the viewport around the frame. The middle of a box stays the middle of its
// bounding box under any transform of the plane.
const outOfFrame = (iframe, { x, y }) => {
  const zoom = iframe.currentCSSZoom ?? 1;
  const style = getComputedStyle(iframe);
  const localX = iframe.clientLeft + parseFloat(style.paddingLeft) + x - iframe.offsetWidth / 2;
  const localY = iframe.clientTop + parseFloat(style.paddingTop) + y - iframe.offsetHeight / 2;
  const { a, b, c, d } = linearOf(iframe);
  const box = boxOf(iframe);
  return {
    x: box.left + box.width / 2 + (a * localX + c * localY) * zoom,
    y: box.top + box.height / 2 + (b * localX + d * localY) * zoom,
  };
};
