// Text that CSS adds: `content` of ::before and ::after, and the alternative text after a slash.
function pseudoText(el, pseudo) {
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
  const text = cssContentText(el, content, false);
  if (!text) return '';
  const marked = mark(el, text);
  return style.display === 'inline' ? marked : ' ' + marked + ' ';
}

// `content: url(x) / "alternative"` on a real element replaces its children.
function elementContentAlternative(el) {
  const content = styleOf(el).content;
  if (content === 'normal' || content === 'none' || content === '' || !content.includes('/')) return null;
  return cssContentText(el, content, true);
}

// The text of a computed `content` value; null when nothing can be said: counters and quotes have
// no text that script can read. Images are simply without text.
function cssContentText(el, content, onlyAlternative) {
  const token = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|attr\(\s*([\w-]+)\s*\)|(\/)|((?:url|image-set|[\w-]*gradient)\()|(.))/sy;
  let text = '';
  let alternative = null;
  for (let found; (found = token.exec(content)) !== null; ) {
    const [, double, single, attribute, slash, image] = found;
    let piece = '';
    if (slash !== undefined) {
      alternative = '';
      continue;
    } else if (double !== undefined || single !== undefined) {
      piece = unescapeCss(double ?? single);
    } else if (attribute !== undefined) {
      piece = attr(el, attribute) ?? '';
    } else if (image !== undefined) {
      token.lastIndex = endOfFunction(content, token.lastIndex);
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
