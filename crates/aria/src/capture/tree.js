// The tree: elements with a role become nodes, all others are transparent. It is written as rows in
// pre-order, each with its depth, so that no page is too deep to be written or read.
const TEXT_INPUTS_NOT = new Set(['checkbox', 'radio', 'file']);

function buildRows(root) {
  const rows = [];
  visit(root, { role: null, name: '', depth: -1, rows });
  const written = [];
  for (let at = 0; at < rows.length; at += 1) {
    const { depth, text, role, name, states, url, placeholder } = rows[at];
    if (text === undefined) written.push({ depth, role, name, states, url, placeholder });
    else if (!isBlank(text) || isBesideGeneric(rows, at)) written.push({ depth, text });
  }
  return written;
}

// White space between two nodes is nothing, unless a node may still go and let the texts around it meet.
const isBesideGeneric = (rows, at) => rows[at - 1]?.role === 'generic' || rows[at + 1]?.role === 'generic';

function visit(el, parent) {
  const shown = exposure(el);
  if (shown === PRUNED) return;
  const role = shown === SHOWN ? roleOf(el) : null;
  let node = parent;
  if (role !== null) {
    node = { depth: parent.depth + 1, role, name: nameOf(el), states: statesOf(el), rows: parent.rows };
    node.rows.push(node);
  }
  visitContent(el, node, shown);
  if (shown === SHOWN) addProperties(el, node);
}

function visitContent(el, node, shown) {
  const tag = tagOf(el);
  // A field's text is its value; what the markup holds between the tags is only its first value.
  if (tag === 'INPUT' || tag === 'TEXTAREA') {
    if (shown !== SHOWN || roleOf(el) === null) return;
    if (tag === 'TEXTAREA' || !TEXT_INPUTS_NOT.has(el.type)) pushText(node, fieldValue(el));
    return;
  }
  const isBlock = styleOf(el).display !== 'inline' || tag === 'BR';
  if (isBlock) pushText(node, ' ');
  if (shown === SHOWN) pushText(node, pseudoText(el, '::before'));
  const alternative = shown === SHOWN ? elementContentAlternative(el) : null;
  if (alternative !== null) {
    pushText(node, mark(el, alternative));
  } else if (tag === 'OPTION' && attr(el, 'label')) {
    pushText(node, mark(el, attr(el, 'label')));
  } else {
    visitChildren(el, node);
  }
  if (shown === SHOWN) pushText(node, pseudoText(el, '::after'));
  if (isBlock) pushText(node, ' ');
}

function visitChildren(el, node) {
  for (const child of flatChildren(el)) {
    const type = nodeType(child);
    if (type === TEXT) {
      if (isTextShown(child, el, false)) pushText(node, mark(el, nodeValue(child)));
    } else if (type === ELEMENT && !isElsewhere(child)) {
      visit(child, node);
    }
  }
  for (const owned of ownedBy(el)) {
    pushText(node, ' ');
    visit(owned, node);
    pushText(node, ' ');
  }
  if (tagOf(el) === 'IMG' && hasAttr(el, 'usemap')) {
    const map = mapOfImage(el);
    if (map) for (const area of queryAll(map, 'area')) visit(area, node);
  }
}

function pushText(node, text) {
  if (text === '') return;
  const depth = node.depth + 1;
  const last = node.rows[node.rows.length - 1];
  if (last !== undefined && last.text !== undefined && last.depth === depth) last.text += text;
  else node.rows.push({ depth, text });
}

// A link's address and a text box's placeholder, also from the roleless element that carries them.
function addProperties(el, node) {
  if (node.role === 'link' && hasHref(el)) {
    const href = attr(el, 'href') ?? attr(el, 'xlink:href');
    // A data: address is its content: only its kind is of use here.
    node.url = /^data:/i.test(href) && href.includes(',') ? href.slice(0, href.indexOf(',') + 1) + '\u2026' : markUrl(el, href);
  }
  if (node.role === 'textbox') {
    const placeholder = attr(el, 'placeholder') ?? ariaAttr(el, 'aria-placeholder');
    if (placeholder && flat(mark(el, placeholder)) !== node.name) node.placeholder = mark(el, placeholder);
  }
}
