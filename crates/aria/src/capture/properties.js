// What only the full form shows: states of ARIA 1.2 section 6 that Playwright's form leaves out, and properties.
// Always one of several: without aria-selected they are not the one.
const SELECTABLE = setOf('option tab');
const CURRENT_TOKENS = setOf('page step location date time');
const POPUP_TOKENS = setOf('menu listbox tree grid dialog');
const SORT_TOKENS = setOf('ascending descending other');
const ORIENTATIONS = setOf('horizontal vertical');
const READONLY_TAGS = new Set(['INPUT', 'TEXTAREA']);
const REQUIRED_TAGS = new Set(['INPUT', 'SELECT', 'TEXTAREA']);
const POPOVER_COMMANDS = setOf('toggle-popover show-popover hide-popover');

// The states of a row. What the reader takes for granted is left out: it makes a third of a snapshot's text.
function writtenStates(el) {
  const states = statesOf(el);
  if (states.disabled === false) delete states.disabled;
  if (states.invalid === false) delete states.invalid;
  if (states.level === 0) delete states.level;
  if (!pass.isFull) return states;
  // What is no toggle is not "not pressed", and what nobody can select is not "not selected".
  if (states.pressed === false && ariaAttr(el, 'aria-pressed') === null) delete states.pressed;
  if (states.selected === false && !SELECTABLE.has(roleOf(el)) && ariaAttr(el, 'aria-selected') === null) {
    delete states.selected;
  }
  return { ...states, ...fullStates(el, roleOf(el)) };
}

function fullStates(el, role) {
  const tag = tagOf(el);
  const states = {};
  const isTrue = (name) => ariaIs(el, name, 'true');
  if (isTrue('aria-required') || (REQUIRED_TAGS.has(tag) && el.required)) states.required = true;
  if (isTrue('aria-readonly') || (READONLY_TAGS.has(tag) && el.readOnly)) states.readonly = true;
  if ((role === 'textbox' || role === 'searchbox') && (tag === 'TEXTAREA' || isTrue('aria-multiline')))
    states.multiline = true;
  if (isTrue('aria-modal') || (tag === 'DIALOG' && matches(el, ':modal'))) states.modal = true;
  if (isTrue('aria-busy')) states.busy = true;
  const popup = token(el, 'aria-haspopup');
  if (popup === 'true') states.haspopup = 'menu';
  else if (POPUP_TOKENS.has(popup)) states.haspopup = popup;
  const current = token(el, 'aria-current');
  if (current !== '' && current !== 'false') states.current = CURRENT_TOKENS.has(current) ? current : 'true';
  const sort = token(el, 'aria-sort');
  if (SORT_TOKENS.has(sort)) states.sort = sort;
  const orientation = token(el, 'aria-orientation');
  if (ORIENTATIONS.has(orientation)) states.orientation = orientation;
  const place = whole(el, 'aria-posinset');
  if (place !== null && place >= 1) states.posinset = place;
  const size = whole(el, 'aria-setsize');
  if (size !== null && size >= -1) states.setsize = size;
  const expanded = nativeExpanded(el, tag);
  if (expanded !== null && ariaAttr(el, 'aria-expanded') === null) states.expanded = expanded;
  return states;
}

const token = (el, name) => (ariaAttr(el, name) ?? '').trim().toLowerCase();

function whole(el, name) {
  const text = ariaAttr(el, name);
  const number = isBlank(text) ? NaN : Number(text);
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : null;
}

// Whether a disclosure, or the popover that a button opens, is open; null for what opens nothing.
function nativeExpanded(el, tag) {
  if (tag === 'DETAILS') return hasAttr(el, 'open');
  if (tag !== 'BUTTON' && tag !== 'INPUT') return null;
  const popover = POPOVER_COMMANDS.has(attr(el, 'command')?.toLowerCase())
    ? el.commandForElement
    : el.popoverTargetElement;
  return popover ? matches(popover, ':popover-open') : null;
}

// {value?, description?, keyshortcuts?}
function propertiesOf(el, role) {
  const properties = {};
  if (RANGE_ROLES.has(role) || role === 'separator') {
    const value = rangeValue(el);
    if (value !== '') properties.value = value;
  }
  const description = descriptionOf(el);
  if (description !== '') properties.description = description;
  const keys = flat(ariaAttr(el, 'aria-keyshortcuts') ?? '');
  if (keys !== '') properties.keyshortcuts = mark(el, keys);
  return properties;
}

// What a range shows: its text, else its number, else that of the native control.
function rangeValue(el) {
  const value = ariaAttr(el, 'aria-valuetext') ?? ariaAttr(el, 'aria-valuenow');
  if (!isBlank(value)) return mark(el, value);
  const tag = tagOf(el);
  if (tag === 'INPUT' || tag === 'METER') return mark(el, String(el.value));
  return tag === 'PROGRESS' && hasAttr(el, 'value') ? mark(el, String(el.value)) : '';
}
