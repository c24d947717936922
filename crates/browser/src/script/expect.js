// Assertions: each look gives `null` when it holds, else what was seen instead.

const isThere = (seen) => (seen ? null : 'the element is not there');

const stateChecks = {
  visible: (element) => (element && isVisible(element) ? null : element ? 'the element is hidden' : isThere(element)),
  enabled: (element) => isThere(element) ?? (isEnabled(element) ? null : 'the element is disabled'),
  disabled: (element) => isThere(element) ?? (isEnabled(element) ? 'the element is enabled' : null),
  editable: (element) => isThere(element) ?? (isEditable(element) ? null : 'the element is not editable'),
  focused: (element) => isThere(element) ?? (isFocused(element) ? null : `the focus is on ${describe(document.activeElement ?? document.body)}`),
  checked: (element) => isThere(element) ?? (isChecked(element) ? null : 'the element is not checked'),
  unchecked: (element) => isThere(element) ?? (isChecked(element) ? 'the element is checked' : null),
  attached: (element) => isThere(element),
  text: (element, match) => isThere(element) ?? saw('text', squeeze(element.textContent), match),
  value: (element, match) => isThere(element) ?? saw('value', valueOf(element), match),
};

const saw = (what, actual, match) => (textMatches(match, actual) ? null : `the ${what} is ${JSON.stringify(shorten(actual, 200))}`);

const valueOf = (element) => {
  if ('value' in element && typeof element.value === 'string') return element.value;
  if (element.isContentEditable) return element.innerText;
  throw new Unsuitable('the element has no value; use text_content');
};

// Checks that several elements, or none, may satisfy.
const listChecks = {
  hidden: (elements) => {
    const seen = elements.filter(isVisible);
    return seen.length === 0 ? null : `the element is visible: ${describe(seen[0])}`;
  },
  detached: (elements) => (elements.length === 0 ? null : `the element is there: ${describe(elements[0])}`),
  count: (elements, expected) => (elements.length === expected ? null : `there are ${elements.length} elements`),
};

const expect = ({ steps, check, expected, deadline }) =>
  until(deadline, (note) => {
    const elements = queryAll(steps);
    if (listChecks[check] === undefined && elements.length > 1) return strict(elements);
    const unlike = listChecks[check] ? listChecks[check](elements, expected) : stateChecks[check](elements[0], expected);
    return unlike === null ? { ok: null } : note(unlike);
  });
