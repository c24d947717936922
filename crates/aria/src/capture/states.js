// States and properties by role (ARIA 1.2 section 6). A state a role does not support is absent;
// a false one is present, so that "not expanded" and "can't expand" differ.
const setOf = (text) => new Set(text.split(' '));
const STATE_ROLES = {
  checked: setOf('checkbox menuitemcheckbox menuitemradio option radio switch treeitem'),
  disabled: setOf(
    'application button checkbox columnheader combobox grid gridcell group link listbox menu menubar menuitem ' +
      'menuitemcheckbox menuitemradio option radio radiogroup row rowheader scrollbar searchbox separator slider ' +
      'spinbutton switch tab tablist textbox toolbar tree treegrid treeitem',
  ),
  expanded: setOf(
    'application button checkbox columnheader combobox gridcell link listbox menuitem menuitemcheckbox ' +
      'menuitemradio row rowheader switch tab treeitem',
  ),
  invalid: setOf(
    'application checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox slider spinbutton ' +
      'switch textbox tree',
  ),
  level: setOf('heading listitem row treeitem'),
  pressed: setOf('button'),
  selected: setOf('columnheader gridcell option row rowheader tab treeitem'),
};
// The roles for which aria-checked=mixed means false.
const NEVER_MIXED = setOf('menuitemradio radio switch');

function statesOf(el) {
  const role = roleOf(el);
  const states = {};
  if (role === null) return states;
  if (STATE_ROLES.checked.has(role)) states.checked = checkedState(el, role);
  if (STATE_ROLES.disabled.has(role)) states.disabled = isDisabled(el);
  if (STATE_ROLES.expanded.has(role) && ariaAttr(el, 'aria-expanded') !== null)
    states.expanded = ariaIs(el, 'aria-expanded', 'true');
  if (STATE_ROLES.invalid.has(role)) states.invalid = invalidState(el);
  if (STATE_ROLES.level.has(role)) states.level = levelState(el, role);
  if (STATE_ROLES.pressed.has(role)) states.pressed = triState(el, 'aria-pressed');
  if (STATE_ROLES.selected.has(role))
    states.selected = tagOf(el) === 'OPTION' ? el.selected : ariaIs(el, 'aria-selected', 'true');
  return states;
}

function triState(el, name) {
  if (ariaIs(el, name, 'mixed')) return 'mixed';
  return ariaIs(el, name, 'true');
}

function checkedState(el, role) {
  if (tagOf(el) === 'INPUT' && (el.type === 'checkbox' || el.type === 'radio')) {
    return el.indeterminate && el.type === 'checkbox' ? 'mixed' : el.checked;
  }
  const state = triState(el, 'aria-checked');
  return state === 'mixed' && NEVER_MIXED.has(role) ? false : state;
}

// aria-disabled reaches down to descendants; native disabling is the control's own.
const isDisabled = (el) => isNativelyDisabled(el) || isAriaDisabled(el);

function isAriaDisabled(el) {
  const climbed = [];
  let found;
  for (let at = el; at && found === undefined; at = flatParent(at)) {
    found = pass.ariaDisabled.get(at);
    if (found !== undefined) break;
    climbed.push(at);
    const value = ariaAttr(at, 'aria-disabled')?.toLowerCase();
    if (value === 'true' || value === 'false') found = value === 'true';
  }
  for (const at of climbed) pass.ariaDisabled.set(at, found ?? false);
  return found ?? false;
}

function invalidState(el) {
  const value = (ariaAttr(el, 'aria-invalid') ?? '').trim().toLowerCase();
  if (value === '') return isNativelyInvalid(el);
  if (value === 'false') return false;
  return value === 'grammar' || value === 'spelling' ? value : true;
}

const TEXT_FIELD_TYPES = new Set(['email', 'number', 'password', 'search', 'tel', 'text', 'url']);

// Constraint validation, but for a text field that is still to be filled in: as in Chromium it is required, not wrong.
function isNativelyInvalid(el) {
  const tag = tagOf(el);
  if (tag !== 'INPUT' && tag !== 'SELECT' && tag !== 'TEXTAREA') return internalsOf(el)?.values.invalid === true;
  if (!el.willValidate || el.validity.valid) return false;
  const isText = tag === 'TEXTAREA' || (tag === 'INPUT' && TEXT_FIELD_TYPES.has(el.type));
  return !(isText && el.value === '' && !el.validity.badInput);
}

// aria-level wins over h1–h6 (HTML-AAM); a heading without any level is level 2 (ARIA 1.2, heading).
function levelState(el, role) {
  const text = ariaAttr(el, 'aria-level');
  const level = text === null || text.trim() === '' ? 0 : Number(text);
  if (Number.isInteger(level) && level >= 1) return level;
  const native = /^H([1-6])$/.exec(tagOf(el));
  if (native) return Number(native[1]);
  return role === 'heading' ? 2 : 0;
}
