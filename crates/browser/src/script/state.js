// What state an element is in.

// On screen: rendered, not hidden, with an area. Transparent elements count. What has no box of its own is where its
// content is.
const isVisible = (element) => {
  if (!isConnectedOf(element)) return false;
  const { display, visibility } = getComputedStyle(element);
  if (display === 'contents') {
    return childElementsOf(element).some(isVisible) || (visibility === 'visible' && shownRects(element).length > 0);
  }
  if (!checkVisibilityOf(element, { visibilityProperty: true })) return false;
  const { width, height } = boxOf(element);
  return width > 0 && height > 0;
};

const isEnabled = (element) => {
  if (matchesCss(element, ':disabled')) return false;
  for (let at = element; at; at = parentAcross(at)) {
    const stated = attrOf(at, 'aria-disabled');
    if (stated !== null) return stated.toLowerCase() !== 'true';
  }
  return true;
};

const TYPED_INTO = ['email', 'number', 'password', 'search', 'tel', 'text', 'url'];
const SET_AT_ONCE = ['color', 'date', 'datetime-local', 'month', 'range', 'time', 'week'];

// How `fill` gets a value into the element: as typed text, at once, or not at all.
const fillKind = (element) => {
  if (localNameOf(element) === 'textarea') return 'text';
  if (localNameOf(element) === 'input') {
    if (TYPED_INTO.includes(element.type)) return 'text';
    if (SET_AT_ONCE.includes(element.type)) return 'value';
    return null;
  }
  return element.isContentEditable ? 'content' : null;
};

const isEditable = (element) => isEnabled(element) && fillKind(element) !== null && !element.readOnly;

const isFocused = (element) => {
  const active = rootOf(element).activeElement;
  return active === element;
};

const isChecked = (element) => aria.states(element).checked === true;
