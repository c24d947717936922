// CSS counters and quotation marks: their values depend on everything before them in the document, and no script can
// read them. So where a page's text uses them, they are counted as CSS Lists 3 and CSS Content 3 say, once a pass.
const COUNTED = /\bcounters?\(|\b(?:open|close)-quote\b/;

// Opening and closing marks, outer then inner, by language, as browsers have them; all others are like English.
const QUOTES = new Map(
  [
    ['am bb fa fr-ch', '«»‹›'],
    ['ar ur', '”“’‘'],
    ['bg lt', '„“„“'],
    ['ca el it pt-pt', '«»“”'],
    ['cs de et hr sk sl', '„“‚‘'],
    ['fi he sv', '””’’'],
    ['fr', '«»«»'],
    ['fr-ca', '«»”“'],
    ['hu', '„”»«'],
    ['ja zh-hant', '「」『』'],
    ['nb nn no', '«»‘’'],
    ['nl', '‘’‘’'],
    ['pl ro', '„”«»'],
    ['ru uk', '«»„“'],
    ['sr', '„”’’'],
  ].flatMap(([languages, marks]) => languages.split(' ').map((language) => [language, [...marks]])),
);

// What ::before and ::after of an element add where they count: {"::before"?: text, "::after"?: text}.
function countedText(el, pseudo) {
  const page = pageOf(el);
  page.counted ??= countDocument(page.doc);
  return page.counted.get(el)?.[pseudo] ?? '';
}

function countDocument(doc) {
  const found = new Map();
  const state = { counters: new Map(), depth: 0 };
  // Elements to enter, and those entered, to leave: no recursion, for pages of any depth.
  const pending = [{ el: documentElement(doc), parent: null, created: null }];
  while (pending.length > 0) {
    const step = pending.pop();
    const { el } = step;
    if (step.created !== null) {
      countPseudo(el, '::after', state, step.created, found);
      for (const name of step.created) state.counters.get(name).pop();
      continue;
    }
    const style = computedStyle(el);
    if (style.display === 'none' || style.display === '') continue;
    // The counters that its children make end with it.
    const leaving = { el, created: [] };
    count(style, tagOf(el) === 'LI' ? el : null, el, step.siblings ?? [], state);
    countPseudo(el, '::before', state, leaving.created, found);
    pending.push(leaving);
    const children = [...flatChildren(el)].filter(isElement);
    for (let at = children.length - 1; at >= 0; at -= 1) {
      pending.push({ el: children[at], siblings: leaving.created, created: null });
    }
  }
  return found;
}

function countPseudo(el, pseudo, state, siblings, found) {
  const { generating } = styleReach(el);
  if (generating !== null && !generating.has(el)) return;
  const style = computedStyle(el, pseudo);
  const { content } = style;
  if (content === 'none' || content === 'normal' || content === '' || style.display === 'none') return;
  count(style, null, el, siblings, state);
  if (!COUNTED.test(content)) return;
  const counting = { state, style, el };
  const text = cssContentText(el, content, false, counting);
  if (!found.has(el)) found.set(el, {});
  found.get(el)[pseudo] = text;
}

// Resets, increments and sets counters; `siblings` are the names made by the same parent's children so far.
function count(style, item, el, siblings, { counters }) {
  const create = (name, value) => {
    if (!counters.has(name)) counters.set(name, []);
    const values = counters.get(name);
    if (siblings.includes(name)) values[values.length - 1] = value;
    else {
      values.push(value);
      siblings.push(name);
    }
  };
  const last = (name) => {
    if (!counters.get(name)?.length) create(name, 0);
    return counters.get(name);
  };
  const resets = counterList(style.counterReset, 0);
  const increments = counterList(style.counterIncrement, 1);
  // Lists count their items by themselves.
  const tag = tagOf(el);
  if (
    (tag === 'OL' || tag === 'UL' || tag === 'MENU') &&
    style.display === 'block' &&
    !resets.some(([name]) => name === 'list-item')
  ) {
    resets.push(['list-item', tag === 'OL' ? el.start - 1 : 0]);
  }
  if (style.display.includes('list-item') && !increments.some(([name]) => name === 'list-item'))
    increments.push(['list-item', 1]);
  for (const [name, value] of resets) create(name, value);
  for (const [name, value] of increments) {
    const values = last(name);
    values[values.length - 1] += value;
  }
  const sets = counterList(style.counterSet, 0);
  if (item !== null && hasAttr(item, 'value')) sets.push(['list-item', item.value]);
  for (const [name, value] of sets) {
    const values = last(name);
    values[values.length - 1] = value;
  }
}

// "a 1 b -2" as pairs.
const counterList = (text, missing) =>
  text === undefined || text === 'none'
    ? []
    : [...text.matchAll(/(?:reversed\()?([^\s()]+)\)?(?:\s+(-?\d+))?(?:\s+|$)/g)].map(([, name, value]) => [
        name,
        value === undefined ? missing : Number(value),
      ]);

// counter(name, style) and counters(name, "separator", style).
function counterText(call, { state }) {
  const [, all, name, separator, kind] =
    /^counter(s?)\(\s*([^\s,)]+)\s*(?:,\s*"((?:[^"\\]|\\.)*)")?\s*(?:,\s*([^)]*?))?\s*\)$/s.exec(call) ?? [];
  if (name === undefined) return '';
  const values = state.counters.get(name) ?? [];
  if (all === '') return numberText(values[values.length - 1] ?? 0, kind);
  return (values.length > 0 ? values : [0]).map((value) => numberText(value, kind)).join(unescapeCss(separator ?? ''));
}

// open-quote and its kin: the mark for the depth so far, and the new depth.
function quoteText(word, { state, style, el }) {
  const isOpen = word.endsWith('open-quote');
  if (!isOpen && state.depth === 0) return '';
  if (!isOpen) state.depth -= 1;
  const marks = quoteMarks(style.quotes, el);
  const pair = Math.min(state.depth, marks.length / 2 - 1) * 2;
  if (isOpen) state.depth += 1;
  return word.startsWith('no-') || marks.length === 0 ? '' : marks[isOpen ? pair : pair + 1];
}

function quoteMarks(quotes, el) {
  if (quotes === 'none') return NO_NODES;
  if (quotes !== 'auto' && quotes !== '')
    return [...quotes.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, text]) => unescapeCss(text));
  // The language around the quotation, not its own.
  const parent = flatParent(el);
  const speaking = parent && closestAcross(parent, '[lang]');
  const language = (speaking ? attr(speaking, 'lang') : '').toLowerCase();
  return QUOTES.get(language) ?? QUOTES.get(language.split('-')[0]) ?? ['“', '”', '‘', '’'];
}

const ROMAN = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const SYMBOLS = { disc: '•', circle: '◦', square: '▪', 'disclosure-open': '▾', 'disclosure-closed': '▸', none: '' };

// The counter styles of CSS Counter Styles 3 that pages use; all others are written as decimals.
function numberText(value, kind = 'decimal') {
  if (Object.hasOwn(SYMBOLS, kind)) return SYMBOLS[kind];
  switch (kind) {
    case 'decimal-leading-zero':
      return (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(2, '0');
    case 'lower-alpha':
    case 'lower-latin':
      return alphabetic(value, 0x61, 26);
    case 'upper-alpha':
    case 'upper-latin':
      return alphabetic(value, 0x41, 26);
    case 'lower-greek':
      return value < 1
        ? String(value)
        : alphabetic(value, 0x3b1, 24).replace(/[\u03c2-\u03c8]/g, (letter) =>
            String.fromCharCode(letter.charCodeAt(0) + 1),
          );
    case 'lower-roman':
      return roman(value);
    case 'upper-roman':
      return roman(value).toUpperCase();
    default:
      return String(value);
  }
}

function alphabetic(value, first, letters) {
  if (value < 1) return String(value);
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / letters)) {
    text = String.fromCharCode(first + ((rest - 1) % letters)) + text;
  }
  return text;
}

function roman(value) {
  if (value < 1 || value > 3999) return String(value);
  let text = '';
  let rest = value;
  for (const [size, letters] of ROMAN) {
    for (; rest >= size; rest -= size) text += letters;
  }
  return text;
}
