// What an element says, and whether that is what is meant.

// A test for texts. White space is squeezed on both sides, except for patterns, which see the squeezed text.
const matcher = (match) => {
  if (match === null || match === undefined) return () => true;
  if (match.kind === 'regex') {
    const pattern = regexOf(match);
    return (text) => pattern.test(squeeze(text));
  }
  const wanted = squeeze(match.text);
  if (match.kind === 'exact') return (text) => squeeze(text) === wanted;
  const lower = wanted.toLowerCase();
  return (text) => squeeze(text).toLowerCase().includes(lower);
};

// The same for values that are no prose: attributes, addresses. Nothing is squeezed.
const plainMatcher = (match) => {
  if (match === null || match === undefined) return () => true;
  if (match.kind === 'regex') {
    const pattern = regexOf(match);
    return (text) => pattern.test(text);
  }
  if (match.kind === 'exact') return (text) => text === match.text;
  const lower = match.text.toLowerCase();
  return (text) => text.toLowerCase().includes(lower);
};

const regexOf = ({ text, flags }) => {
  try {
    // Without `g` and `y`, which make a pattern remember where it was.
    return new RegExp(text, flags.replace(/[gy]/g, ''));
  } catch (error) {
    throw new Unsuitable(`/${text}/${flags} is not a JavaScript pattern (${error.message}); correct it`);
  }
};

const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head']);
const BUTTON_TYPES = new Set(['button', 'submit', 'reset']);

// Texts of the elements of one look.
let texts = new Map();

// The text of an element with its shadow tree; scripts and styles say nothing, buttons made of <input> their value.
const textOf = (element) => {
  const known = texts.get(element);
  if (known !== undefined) return known;
  const inside = [element];
  for (const root of rootsIn(element)) inside.push(...allIn(root, '*'));
  // Each after those inside it. Not recursive: pages nest deeper than the stack.
  for (let i = inside.length - 1; i >= 0; i--) {
    if (!texts.has(inside[i])) texts.set(inside[i], ownText(inside[i]));
  }
  return texts.get(element);
};

const ownText = (element) => {
  const tag = localNameOf(element);
  if (SILENT.has(tag)) return '';
  if (tag === 'input') return BUTTON_TYPES.has(element.type) ? element.value : '';
  const shadow = shadowOf(element);
  if (firstElementOf(element) === null && !shadow) return textContentOf(element);
  return childrenText(element) + (shadow ? childrenText(shadow) : '');
};

const childrenText = (parent) => {
  let text = '';
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) {
    const type = nodeTypeOf(node);
    if (type === TEXT_NODE) text += node.data;
    else if (type === ELEMENT_NODE) text += texts.get(node) ?? '';
  }
  return text;
};

// The innermost elements whose text matches.
const findText = (scope, match) => {
  const matches = matcher(match);
  // What an outer element must say for an inner one to match: lets whole branches be passed over.
  const may = match.kind === 'regex' || match.kind === 'contains' ? matches : matcher({ ...match, kind: 'contains' });
  const prunes = match.kind !== 'regex';
  const inside = select(scope, '*');
  if (nodeTypeOf(scope) === ELEMENT_NODE) textOf(scope);
  else if (documentElementOf(document)) textOf(documentElementOf(document));
  const passed = new Set();
  const holders = [];
  for (const element of inside) {
    const outer = parentAcross(element);
    if (prunes && passed.has(outer)) {
      passed.add(element);
      continue;
    }
    const text = textOf(element);
    if (SILENT.has(localNameOf(element)) || !may(text)) passed.add(element);
    else if (matches(text)) holders.push(element);
  }
  const outer = new Set(holders.map(parentAcross));
  return holders.filter((element) => !outer.has(element));
};
