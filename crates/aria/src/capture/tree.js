// The tree: elements with a role become nodes, all others are transparent. It is written as rows in
// pre-order, each with its depth, so that no page is too deep to be written or read.
const TEXT_INPUTS_NOT = new Set(['checkbox', 'radio', 'file']);

function buildRows(root) {
  const rows = [];
  visit(root, { role: null, name: '', depth: -1, rows });
  return rows.map(({ depth, text, role, name, states, url, placeholder }) =>
    text === undefined ? { depth, role, name, states, url, placeholder } : { depth, text },
  );
}

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
    } else if (type === ELEMENT && !ownersOf(ownerDocument(child)).has(child)) {
      visit(child, node);
    }
  }
  for (const owned of ownedBy(el)) visit(owned, node);
  if (tagOf(el) === 'IMG' && hasAttr(el, 'usemap')) {
    const map = mapOfImage(el);
    if (map) for (const area of queryAll(map, 'area')) visit(area, node);
  }
}

function pushText(node, text) {
  if (text !== '') node.rows.push({ depth: node.depth + 1, text });
}

// A link's address and a text box's placeholder, also from the roleless element that carries them.
function addProperties(el, node) {
  if (node.role === 'link' && hasHref(el)) {
    const href = attr(el, 'href') ?? attr(el, 'xlink:href');
    // A data: address is its content: only its kind is of use here.
    node.url = /^data:/i.test(href) && href.includes(',') ? href.slice(0, href.indexOf(',') + 1) + '\u2026' : markUrl(el, href);
  }
  if (node.role === 'textbox') {
    const placeholder = attr(el, 'placeholder') ?? attr(el, 'aria-placeholder');
    if (placeholder && flat(mark(el, placeholder)) !== node.name) node.placeholder = mark(el, placeholder);
  }
}
