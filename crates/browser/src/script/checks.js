// What assertions look at. Each check gives whether it holds and what was seen, in words.

const seen = (holds, words) => ({ holds, words });

const sawText = (what, actual, matches) => seen(matches(actual), `the ${what} is ${quoted(shorten(actual, 200))}`);

const sawList = (what, actual, expected) => {
  const holds = actual.length === expected.length && expected.every((match, i) => matcher(match)(actual[i]));
  const shown = actual.slice(0, 20).map((text) => quoted(shorten(text, 60)));
  if (actual.length > 20) shown.push(`and ${actual.length - 20} more`);
  return seen(holds, `the ${what} are [${shown.join(', ')}]`);
};

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const valueOf = (element) => {
  if ('value' in element && typeof element.value === 'string') return element.value;
  if (element.isContentEditable) return innerTextOf(element);
  throw new Unsuitable('the element has no value; use text_content');
};

const valuesOf = (element) => {
  if (localNameOf(element) !== 'select') throw new Unsuitable(`${describe(element)} is no <select>; use to_have_value`);
  return [...element.selectedOptions].map((option) => option.value);
};

// The state of a checkbox, switch, radio or the like: true, false or 'mixed'.
const checkedOf = (element) => {
  const { checked } = aria.states(element);
  if (checked === undefined) throw new Unsuitable(`${describe(element)} can't be checked; name a checkbox, radio or switch`);
  return checked;
};

const CHECKED_WORDS = new Map([[true, 'checked'], [false, 'not checked'], ['mixed', 'indeterminate']]);

const classesOf = (element) => (attrOf(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '');

const isEmpty = (element) => ('value' in element && typeof element.value === 'string' ? element.value === '' : squeeze(textOf(element)) === '');

// The part of the element's area that is in the viewport, 0 to 1, clipped by scrollers too.
const viewportRatio = (element) =>
  new Promise((resolve) => {
    const observer = new IntersectionObserver((entries) => {
      observer.disconnect();
      const { isIntersecting, intersectionRatio } = entries[0];
      resolve(isIntersecting ? intersectionRatio : -1);
    });
    observer.observe(element);
  });

const state = (holds, yes, no) => seen(holds, `the element is ${holds ? yes : no}`);

// Checks of the one element.
const elementChecks = {
  enabled: (element) => state(isEnabled(element), 'enabled', 'disabled'),
  disabled: (element) => state(!isEnabled(element), 'disabled', 'enabled'),
  editable: (element) => state(isEditable(element), 'editable', 'not editable'),
  readonly: (element) => state(!isEditable(element), 'read-only', 'editable'),
  focused: (element) => {
    const holds = isFocused(element);
    const active = activeElementOf(document) ?? document.body;
    return seen(holds, holds ? 'the element has the focus' : `the focus is on ${active ? describe(active) : 'nothing'}`);
  },
  checked: (element, expected) => {
    const checked = checkedOf(element);
    return seen(checked === expected, `the element is ${CHECKED_WORDS.get(checked)}`);
  },
  empty: (element) => {
    const text = 'value' in element && typeof element.value === 'string' ? element.value : squeeze(textOf(element));
    return seen(isEmpty(element), isEmpty(element) ? 'the element is empty' : `the element has ${quoted(shorten(text, 200))}`);
  },
  viewport: async (element, ratio) => {
    const shown = await viewportRatio(element);
    const words = shown < 0 ? 'the element is outside the viewport' : `${Math.round(shown * 100)} % of the element are in the viewport`;
    return seen(shown >= 0 && shown >= ratio, words);
  },
  text: (element, match) => sawText('text', squeeze(textOf(element)), matcher(match)),
  containText: (element, text) => sawText('text', squeeze(textOf(element)), (actual) => actual.includes(squeeze(text))),
  value: (element, match) => sawText('value', valueOf(element), matcher(match)),
  values: (element, expected) => sawList('values', valuesOf(element), expected),
  attribute: (element, { name, match }) => {
    const value = attrOf(element, name);
    if (value === null) return seen(false, `the element has no attribute ${quoted(name)}`);
    return seen(plainMatcher(match)(value), `the attribute ${quoted(name)} is ${quoted(shorten(value, 200))}`);
  },
  id: (element, match) => sawText('id', attrOf(element, 'id') ?? '', plainMatcher(match)),
  class: (element, match) => sawText('class', classesOf(element).join(' '), matcher(match)),
  containClass: (element, names) => {
    const own = classesOf(element);
    return seen(names.every((name) => own.includes(name)), `the class is ${quoted(own.join(' '))}`);
  },
  css: (element, { name, match }) => {
    const value = getComputedStyle(element).getPropertyValue(name);
    return seen(plainMatcher(match)(value), `the CSS property ${quoted(name)} is ${quoted(value)}`);
  },
  role: (element, role) => {
    const actual = aria.role(element);
    return seen(actual === role, actual === null ? 'the element has no role' : `the role is ${quoted(actual)}`);
  },
  accessibleName: (element, match) => sawText('accessible name', aria.name(element), matcher(match)),
  accessibleDescription: (element, match) => sawText('accessible description', aria.description(element), matcher(match)),
};

// Checks that several elements, or none, may satisfy.
const listChecks = {
  hidden: (elements) => {
    const shown = elements.filter(isVisible);
    return shown.length > 0 ? seen(false, `the element is visible: ${describe(shown[0])}`) : seen(true, 'no such element is visible');
  },
  detached: (elements) =>
    elements.length > 0 ? seen(false, `the element is there: ${describe(elements[0])}`) : seen(true, 'no such element is there'),
  count: (elements, expected) =>
    seen(elements.length === expected, elements.length === 1 ? 'there is 1 element' : `there are ${elements.length} elements`),
  texts: (elements, expected) => sawList('texts', elements.map((element) => squeeze(textOf(element))), expected),
};

// Checks of one element that may also be absent.
const absentChecks = {
  visible: (element) => (element ? state(isVisible(element), 'visible', 'hidden') : seen(false, 'the element is not there')),
  attached: (element) => (element ? seen(true, `the element is there: ${describe(element)}`) : seen(false, 'the element is not there')),
};

const pageChecks = {
  title: (match) => sawText('title', titleOf(document), matcher(match)),
  url: (match) => sawText('address', urlOf(document), plainMatcher(match)),
};
