// The tree: elements with a role become nodes, all others are transparent. It is written as rows in
// pre-order, each with its depth, so that no page is too deep to be written or read; for the same reason
// the walk keeps its own stack.
const TEXT_INPUTS_NOT = new Set(['checkbox', 'radio', 'file']);

function buildRows(root) {
  const rows = [];
  const open = [];
  enter(root, { role: null, name: '', depth: -1, rows }, open);
  while (open.length > 0) {
    const frame = open[open.length - 1];
    if (frame.isOwned) {
      pushText(frame.node, ' ');
      frame.isOwned = false;
    }
    const child = nextChild(frame);
    if (child === null) {
      leave(frame);
      open.pop();
      continue;
    }
    const type = nodeType(child);
    if (type === TEXT) {
      if (isTextShown(child, frame.el, false)) pushText(frame.node, mark(frame.el, textOf(child, frame.el)));
    } else if (type === ELEMENT && (frame.isExtra || !isElsewhere(child))) {
      enter(child, frame.node, open);
    }
  }
  return rows
    .filter((row, at) => row.text === undefined || !isBlank(row.text) || isBesideGeneric(rows, at))
    .map(written);
}

// White space between two nodes is nothing, unless a node may still go and let the texts around it meet.
const isBesideGeneric = (rows, at) => rows[at - 1]?.role === 'generic' || rows[at + 1]?.role === 'generic';

// Only what the reader does not assume.
function written({ depth, text, role, name, states, url, placeholder, extra }) {
  if (text !== undefined) return { depth, text };
  const row = { depth, role };
  if (name !== '') row.name = name;
  for (const state in states) {
    row.states = states;
    break;
  }
  if (url !== undefined) row.url = url;
  if (placeholder !== undefined) row.placeholder = placeholder;
  return extra === undefined ? row : { ...row, ...extra };
}

function enter(el, parent, open) {
  const shown = exposure(el);
  if (shown === PRUNED) return;
  const role = shown === SHOWN ? roleOf(el) : null;
  let node = parent;
  if (role !== null) {
    node = { depth: parent.depth + 1, role, name: nameOf(el), states: writtenStates(el), rows: parent.rows };
    if (pass.isFull) node.extra = propertiesOf(el, role, node.name);
    node.rows.push(node);
  }
  const tag = tagOf(el);
  const frame = {
    el,
    node,
    shown,
    tag,
    isBlock: false,
    hasContent: false,
    next: null,
    extras: NO_NODES,
    at: 0,
    isExtra: false,
    isOwned: false,
  };
  // A field's text is its value; what the markup holds between the tags is only its first value.
  if (tag === 'INPUT' || tag === 'TEXTAREA') {
    if (role !== null && (tag === 'TEXTAREA' || !TEXT_INPUTS_NOT.has(el.type))) pushText(node, fieldValue(el));
  } else {
    startContent(frame);
  }
  open.push(frame);
}

function startContent(frame) {
  const { el, node, shown, tag } = frame;
  frame.hasContent = true;
  frame.isBlock = displayOf(el) !== 'inline' || tag === 'BR';
  if (frame.isBlock) pushText(node, ' ');
  let alternative = null;
  if (shown === SHOWN) {
    pushText(node, pseudoText(el, '::before'));
    alternative = elementContentAlternative(el) ?? (tag === 'OPTION' ? attr(el, 'label') : null);
  }
  if (alternative) {
    pushText(node, mark(el, alternative));
    return;
  }
  const assigned = tag === 'SLOT' ? assignedNodes(el) : NO_NODES;
  if (assigned.length > 0) frame.extras = assigned.map((child) => ({ child, isOwned: false }));
  else frame.next = firstChild(shadowRootOf(el) ?? el);
  const owned = ownedBy(el);
  if (owned.length > 0) frame.extras = [...frame.extras, ...owned.map((child) => ({ child, isOwned: true }))];
  if (tag === 'IMG' && hasAttr(el, 'usemap')) {
    const map = mapOfImage(el);
    if (map) frame.extras = [...queryAll(map, 'area')].map((child) => ({ child, isOwned: false }));
  }
}

// The children in the flat tree, then what is brought in from elsewhere.
function nextChild(frame) {
  const child = frame.next;
  if (child !== null) {
    frame.next = nextSibling(child);
    return child;
  }
  if (frame.at === frame.extras.length) return null;
  const extra = frame.extras[frame.at];
  frame.at += 1;
  // Slotted nodes may yet be owned by something else.
  frame.isExtra = extra.isOwned || frame.tag === 'IMG';
  frame.isOwned = extra.isOwned;
  if (extra.isOwned) pushText(frame.node, ' ');
  return extra.child;
}

function leave({ el, node, shown, hasContent, isBlock }) {
  if (hasContent) {
    if (shown === SHOWN) pushText(node, pseudoText(el, '::after'));
    if (isBlock) pushText(node, ' ');
  }
  if (shown === SHOWN) addProperties(el, node);
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
    node.url =
      /^data:/i.test(href) && href.includes(',') ? href.slice(0, href.indexOf(',') + 1) + '\u2026' : markUrl(el, href);
  }
  if (node.role === 'textbox') {
    const placeholder = attr(el, 'placeholder') ?? ariaAttr(el, 'aria-placeholder');
    if (placeholder && flat(mark(el, placeholder)) !== node.name) node.placeholder = mark(el, placeholder);
  }
}
