// Text that CSS adds: `content` of ::before and ::after, and the alternative text after a slash.
function pseudoText(el, pseudo) {
  const { generating } = styleReach(el);
  if (generating !== null && !generating.has(el)) return '';
  let text = pass.pseudos[pseudo].get(el);
  if (text === undefined) {
    text = computePseudoText(el, pseudo);
    pass.pseudos[pseudo].set(el, text);
  }
  return text;
}

function computePseudoText(el, pseudo) {
  const style = computedStyle(el, pseudo);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '') return '';
  if (style.display === 'none' || style.visibility !== 'visible') return '';
  const text = COUNTED.test(content) ? countedText(el, pseudo) : cssContentText(el, content, false, null);
  if (!text) return '';
  const marked = mark(el, text);
  return style.display === 'inline' ? marked : ' ' + marked + ' ';
}

// `content: url(x) / "alternative"` on a real element replaces its children.
function elementContentAlternative(el) {
  if (!styleReach(el).content) return null;
  const { content } = computedStyle(el);
  if (content === 'normal' || content === 'none' || content === '' || !content.includes('/')) return null;
  return cssContentText(el, content, true, null);
}

// One token of a computed `content` value; its groups in this order.
const CONTENT_TOKEN = new RegExp(
  '\\s*(?:' +
    [
      /"((?:[^"\\]|\\.)*)"/, // double
      /'((?:[^'\\]|\\.)*)'/, // single
      /attr\(\s*([\w-]+)\s*\)/, // attribute
      /(\/)/, // slash
      /(counters?\((?:"(?:[^"\\]|\\.)*"|[^)"])*\))/, // counter
      /((?:no-)?(?:open|close)-quote)/, // quote
      /((?:url|image-set|[\w-]*gradient)\()/, // image
      /(.)/,
    ]
      .map((part) => part.source)
      .join('|') +
    ')',
  'sy',
);

// The text of a computed `content` value; null when nothing can be said. Images are without text, and so are counters
// and quotes without `counting`, the place in the document where they are counted.
function cssContentText(el, content, onlyAlternative, counting) {
  CONTENT_TOKEN.lastIndex = 0;
  let text = '';
  let alternative = null;
  for (let found; (found = CONTENT_TOKEN.exec(content)) !== null;) {
    const [, double, single, attribute, slash, counter, quote, image] = found;
    let piece = '';
    if (slash !== undefined) {
      alternative = '';
      continue;
    } else if (double !== undefined || single !== undefined) {
      piece = unescapeCss(double ?? single);
    } else if (attribute !== undefined) {
      piece = attr(el, attribute) ?? '';
    } else if (counter !== undefined) {
      piece = counting === null ? '' : counterText(counter, counting);
    } else if (quote !== undefined) {
      piece = counting === null ? '' : quoteText(quote, counting);
    } else if (image !== undefined) {
      CONTENT_TOKEN.lastIndex = endOfFunction(content, CONTENT_TOKEN.lastIndex);
    } else {
      return null;
    }
    if (alternative === null) text += piece;
    else alternative += piece;
  }
  return onlyAlternative ? alternative : (alternative ?? text);
}

// The position after the parenthesis that closes the function whose arguments start at `from`.
function endOfFunction(content, from) {
  let depth = 1;
  let quote = '';
  let at = from;
  for (; at < content.length && depth > 0; at += 1) {
    const char = content[at];
    if (char === '\\') at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
  }
  return at;
}

const unescapeCss = (text) =>
  text.replace(/\\(?:([0-9a-fA-F]{1,6})\s?|(.))/gs, (_, hex, char) =>
    hex === undefined ? (char === '\n' ? '' : char) : String.fromCodePoint(parseInt(hex, 16) || 0xfffd),
  );
