// Volatile text: inside an element that carries the mark attribute, every piece of text
// (content, label, value) is written between private-use sentinels that survive names and merging:
//   U+E000 kind U+E003 number-of-the-element U+E001 raw text U+E002
// Private-use characters of the page itself (icon fonts) are escaped as U+E004 and a letter a–e,
// so that unmarked text always comes back as it was.
function mark(el, text) {
  if (pass.markAttribute === null || text === null || text === undefined || text === '') return text;
  const plain = text.replace(/[\uE000-\uE004]/g, escapeSentinel);
  const source = markSource(el);
  return source === null ? plain : wrapMark(source, attr(source, pass.markAttribute), plain);
}

// A link's address is not its text: it has a mark of its own, on the link, `<attribute>-url`.
function markUrl(el, url) {
  if (pass.markAttribute === null) return url;
  const plain = url.replace(/[\uE000-\uE004]/g, escapeSentinel);
  const kind = attr(el, pass.markAttribute + '-url');
  return kind === null ? plain : wrapMark(el, kind, plain);
}

function wrapMark(source, kind, plain) {
  let id = pass.markIds.get(source);
  if (id === undefined) {
    id = pass.markIds.size;
    pass.markIds.set(source, id);
  }
  const cleanKind = kind.trim().replace(/[\uE000-\uE004]/g, '');
  return '\uE000' + cleanKind + '\uE003' + id + '\uE001' + plain + '\uE002';
}

const escapeSentinel = (char) => '\uE004' + String.fromCharCode(0x61 + char.charCodeAt(0) - 0xe000);

// The outermost marked element around `el`: a mark covers its whole text, marks inside it included.
function markSource(el) {
  const climbed = [];
  let source;
  for (let at = el; at && source === undefined; at = flatParent(at)) {
    source = pass.marks.get(at);
    if (source === undefined) climbed.push(at);
  }
  source ??= null;
  for (let at = climbed.length - 1; at >= 0; at -= 1) {
    source ??= hasAttr(climbed[at], pass.markAttribute) ? climbed[at] : null;
    pass.marks.set(climbed[at], source);
  }
  return source;
}
