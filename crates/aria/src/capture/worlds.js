// What only the page's own world knows: closed shadow roots and ElementInternals. page_world.js tells it there;
// declarative closed roots, which no script ever held, are brought in from outside by `adopt`.
const closedRoots = new WeakMap();
const internalsHosts = new WeakSet();
const questioned = new WeakSet();
let port = null;
let anyClosed = false;
let anyInternals = false;
// The answer that is arriving from the page's world.
let answered = null;

function listen(channel) {
  const take = (event) => {
    const given = relatedTarget(event);
    if (given === null || port !== null) return;
    port = given;
    stopEvent(event);
    preventDefault(event);
    removeListener(window, channel, take, true);
    addListener(port, 'root', (told) => {
      preventDefault(told);
      adopt(relatedTarget(told).host, relatedTarget(told));
    });
    addListener(port, 'internals', (told) => {
      preventDefault(told);
      internalsHosts.add(relatedTarget(told));
      anyInternals = true;
    });
    for (const list of [...Object.keys(ELEMENT_LISTS), 'labels']) {
      addListener(port, list, (told) => (answered.lists[list] ??= []).push(relatedTarget(told)));
    }
    addListener(port, 'values', (told) => {
      answered.values = parseJson(told.detail);
    });
  };
  addListener(window, channel, take, true);
  dispatch(window, new NodeEvent(channel));
}

function adopt(host, root) {
  closedRoots.set(host, root);
  anyClosed = true;
}

const shadowRootOf = (el) => openRootOf(el) ?? (anyClosed ? (closedRoots.get(el) ?? null) : null);

// The slot of a node; those of a closed tree are kept from script, so they are asked for what they hold.
const slotOf = (node) =>
  (nodeType(node) === TEXT ? textSlot(node) : elementSlot(node)) ?? (anyClosed ? closedSlotOf(node) : null);

function closedSlotOf(node) {
  const host = parentElement(node);
  const root = host && closedRoots.get(host);
  if (!root) return null;
  let slots = pass.closedSlots.get(host);
  if (slots === undefined) {
    slots = new Map();
    for (const slot of queryAllFragment(root, 'slot')) for (const held of assignedNodes(slot)) slots.set(held, slot);
    pass.closedSlots.set(host, slots);
  }
  return slots.get(node) ?? null;
}

// {values: {role?, "aria-label"?, …, invalid?}, lists: {"aria-owns"?: [element], …, labels?: [element]}}, or null.
function internalsOf(el) {
  if (!anyInternals || !internalsHosts.has(el)) return null;
  let found = pass.internals.get(el);
  if (found === undefined) {
    answered = { values: {}, lists: {} };
    dispatch(port, new NodeEvent('read', { relatedTarget: el }));
    found = answered;
    pass.internals.set(el, found);
  }
  return found;
}

// The value of an aria- attribute: the author's, else the default that the component gave its element.
const ariaAttr = (el, name) => attr(el, name) ?? (anyInternals ? (internalsOf(el)?.values[name] ?? null) : null);

const HOST_TAGS = new Set(
  'ARTICLE ASIDE BLOCKQUOTE BODY DIV FOOTER H1 H2 H3 H4 H5 H6 HEADER MAIN NAV P SECTION SPAN'.split(' '),
);

// Elements that may hold a closed root which nobody has told of. Each is named once, and looked at once: a root that came
// with the source came with its element.
function unknownHosts() {
  const found = [];
  for (const scope of pageOf(document).scopes) {
    for (const el of allIn(scope, '*')) {
      if (questioned.has(el) || shadowRootOf(el) !== null) continue;
      const isCustom = localName(el).includes('-');
      if (isCustom || (HOST_TAGS.has(tagOf(el)) && isRenderedOtherwise(el))) found.push(el);
      // What is not rendered can't be judged yet.
      else if (HOST_TAGS.has(tagOf(el)) && !checkVisibility(el)) continue;
      questioned.add(el);
    }
  }
  return found;
}

// Whether what is on screen is not what the children are: a child that no slot takes has no style at all, and an
// empty box of its own making has no height.
function isRenderedOtherwise(el) {
  let isEmpty = true;
  for (let node = firstChild(el); node; node = nextSibling(node)) {
    const type = nodeType(node);
    if (type === ELEMENT) {
      if (!checkVisibility(node) && computedStyle(node).display === '') return true;
      isEmpty = false;
    } else if (type === TEXT && !isBlank(nodeValue(node))) {
      if (isEmpty && checkVisibility(el) && !hasBoxes(node) && computedStyle(el).contentVisibility !== 'hidden')
        return true;
      isEmpty = false;
    }
  }
  if (!isEmpty) return false;
  const box = boxOf(el);
  if (box.width === 0 || box.height === 0) return false;
  const style = computedStyle(el);
  const isPlain = (pseudo) => ['none', 'normal', ''].includes(computedStyle(el, pseudo).content);
  if (!isPlain('::before') || !isPlain('::after')) return false;
  if (style.display === 'inline') return contentWidth(box, style) > 0.5;
  const height = styleMap(el).get('height');
  return (
    String(height) === 'auto' && contentHeight(box, style) > 0.5 && String(styleMap(el).get('aspect-ratio')) === 'auto'
  );
}

const sum = (...lengths) => lengths.reduce((total, length) => total + (parseFloat(length) || 0), 0);
const contentWidth = (box, { paddingLeft, paddingRight, borderLeftWidth, borderRightWidth }) =>
  box.width - sum(paddingLeft, paddingRight, borderLeftWidth, borderRightWidth);
const contentHeight = (box, { paddingTop, paddingBottom, borderTopWidth, borderBottomWidth }) =>
  box.height - sum(paddingTop, paddingBottom, borderTopWidth, borderBottomWidth);
