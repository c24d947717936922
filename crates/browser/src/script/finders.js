// One way to find elements each: from a scope and a step to elements in the order of the page.

// A bad locator is the test's mistake: it is told, not waited on.
class Unsuitable extends Error {}

// Elements that never have a role of their own, unless they say so.
const MAY_HAVE_ROLE =
  ':not(div, span, b, i, u, br, wbr, font, center, script, style, link, meta, template), [role], [popover]';

const NO_STATE_IS_FALSE = new Set(['disabled', 'checked', 'selected', 'pressed']);

// By what assistive technology sees: elements hidden from it have no role, unless asked for.
const findRole = (scope, { role, name, description, states, includeHidden }) => {
  const named = name === null ? null : matcher(name);
  const described = description === null ? null : matcher(description);
  const wanted = Object.entries(states);
  return select(scope, MAY_HAVE_ROLE).filter((element) => {
    if (aria.role(element) !== role) return false;
    const hidden = aria.hidden(element);
    if (hidden && !includeHidden) return false;
    if (wanted.length > 0) {
      const has = aria.states(element);
      const differs = ([key, value]) => (has[key] ?? (NO_STATE_IS_FALSE.has(key) ? false : null)) !== value;
      if (wanted.some(differs)) return false;
    }
    // Names come last: they cost most.
    if (named !== null && !named(aria.name(element, hidden))) return false;
    return described === null || described(aria.description(element));
  });
};

const LABELLED =
  'input, textarea, select, button, output, meter, progress, [aria-label], [aria-labelledby], [contenteditable]';
const CONTROLS = 'input, textarea, select, button, output, meter, progress';

// The labels of each control. `labels` looks through the whole tree for every control; asking the labels takes one look.
let labelsByControl = new Map();

const labelElementsOf = (element) => {
  const root = rootOf(element);
  let known = labelsByControl.get(root);
  if (known === undefined) {
    known = new Map();
    for (const label of allIn(root, 'label')) {
      const control = labelControlOf(label);
      if (control) known.set(control, [...(known.get(control) ?? []), label]);
    }
    labelsByControl.set(root, known);
  }
  return known.get(element) ?? [];
};

// The texts of the labels of an element. One that is around its control also counts without the control's own text.
const labelsOf = (element) => {
  const labels = labelElementsOf(element).flatMap((label) => [textOf(label), textWithout(label, CONTROLS)]);
  for (const id of (attrOf(element, 'aria-labelledby') ?? '').split(/\s+/)) {
    const label = id === '' ? null : allIn(rootOf(element), `#${CSS.escape(id)}`)[0];
    if (label) labels.push(textOf(label));
  }
  const own = attrOf(element, 'aria-label');
  if (own !== null) labels.push(own);
  return labels;
};

const textWithout = (element, css) => {
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    nodeTypeOf(node) === ELEMENT_NODE && (matchesCss(node, css) || SILENT.has(localNameOf(node)))
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  while (walker.nextNode()) if (nodeTypeOf(walker.currentNode) === TEXT_NODE) text += walker.currentNode.data;
  return text;
};

const findCss = (scope, { css }) => {
  try {
    return selectCss(scope, css);
  } catch (error) {
    if (error.name !== 'SyntaxError') throw error;
    throw new Unsuitable(`${JSON.stringify(css)} is not a CSS selector; correct it`);
  }
};

// XPath knows no shadow trees. A path from the root starts at the scope.
const findXPath = (scope, { xpath }) => {
  const path = xpath.startsWith('/') && nodeTypeOf(scope) !== DOCUMENT_NODE ? `.${xpath}` : xpath;
  let found;
  try {
    found = evaluateXPath(document, path, scope, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  } catch (error) {
    throw new Unsuitable(`${JSON.stringify(xpath)} is not an XPath expression for nodes; correct it`);
  }
  const nodes = Array.from({ length: found.snapshotLength }, (_, i) => found.snapshotItem(i));
  return nodes.filter((node) => nodeTypeOf(node) === ELEMENT_NODE);
};

const findAttribute = (scope, { name, match }, matches) =>
  select(scope, `[${CSS.escape(name)}]`).filter((element) => matches(match)(attrOf(element, name)));

const finders = {
  css: findCss,
  xpath: findXPath,
  role: findRole,
  text: (scope, { match }) => findText(scope, match),
  label: (scope, { match }) => {
    const matches = matcher(match);
    return select(scope, LABELLED).filter((element) => labelsOf(element).some(matches));
  },
  attribute: (scope, step) => findAttribute(scope, step, matcher),
  testId: (scope, { match }) => findAttribute(scope, { name: settings.testId, match }, plainMatcher),
};
