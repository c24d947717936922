// For each of several elements, a locator that names it alone.

const CANDIDATES = 10;
// Checking a suggestion is a look at the whole page; on a huge page the first candidates must do.
const SUGGEST_BUDGET = 400;

const quoted = (text) => JSON.stringify(text);
const exactly = (text) => ({ kind: 'exact', text, flags: '' });

const isShort = (text) => text !== '' && text.length <= 60;

// Pairs of step and how it is written, the best first.
function* suggestionsFor(element) {
  const id = attrOf(element, settings.testId);
  if (id) yield [{ by: 'testId', match: exactly(id) }, `get_by_test_id(${quoted(id)})`];
  const role = aria.hidden(element) ? null : aria.role(element);
  const name = role === null ? '' : squeeze(aria.name(element));
  const byRole = { by: 'role', role, name: null, description: null, states: {}, includeHidden: false };
  if (role !== null && isShort(name)) {
    yield [{ ...byRole, name: exactly(name) }, `get_by_role(${quoted(role)}, ${quoted(name)})`];
  }
  for (const label of matchesCss(element, LABELLED) ? labelsOf(element).map(squeeze) : []) {
    if (isShort(label)) yield [{ by: 'label', match: exactly(label) }, `get_by_label(${quoted(label)})`];
  }
  for (const [attribute, method] of [['placeholder', 'get_by_placeholder'], ['alt', 'get_by_alt_text']]) {
    const value = squeeze(attrOf(element, attribute) ?? '');
    if (isShort(value)) yield [{ by: 'attribute', name: attribute, match: exactly(value) }, `${method}(${quoted(value)})`];
  }
  const text = squeeze(textOf(element));
  if (isShort(text)) yield [{ by: 'text', match: exactly(text) }, `get_by_text(${quoted(text)})`];
  const title = squeeze(attrOf(element, 'title') ?? '');
  if (isShort(title)) yield [{ by: 'attribute', name: 'title', match: exactly(title) }, `get_by_title(${quoted(title)})`];
  if (role !== null) yield [byRole, `get_by_role(${quoted(role)}, TextMatch::Any)`];
  const css = attrOf(element, 'id') ? `#${CSS.escape(attrOf(element, 'id'))}` : null;
  if (css !== null) yield [{ by: 'css', css }, `locator(${quoted(css)})`];
}

const suggestFor = (element, end) => {
  for (const [step, shown] of suggestionsFor(element)) {
    if (performance.now() > end) return null;
    const found = elementsOf([step], [document]);
    if (found.length === 1 && found[0] === element) return shown;
  }
  return null;
};

// The answer for a locator that must name one element and names several.
const strict = (elements) =>
  inOneLook(() => {
    const end = performance.now() + SUGGEST_BUDGET;
    const candidates = elements.slice(0, CANDIDATES).map((element, index) => {
      const suggestion = suggestFor(element, end) ?? `nth(${index}) of this locator`;
      return `${describe(element)}: ${suggestion}`;
    });
    if (elements.length > CANDIDATES) candidates.push(`and ${elements.length - CANDIDATES} more`);
    return { strict: { count: elements.length, candidates } };
  });
