// Builtins taken once, when this script is installed: a page that later replaces
// `JSON.stringify` or hides `parentNode` behind <input name=parentNode> changes nothing here.
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const getterOf = (proto, name) => uncurry(Object.getOwnPropertyDescriptor(proto, name).get);

const parseJson = JSON.parse;
const toJson = JSON.stringify;
const computedStyle = window.getComputedStyle.bind(window);
const wellFormed = uncurry(String.prototype.toWellFormed);

const nodeType = getterOf(Node.prototype, 'nodeType');
const nodeValue = getterOf(Node.prototype, 'nodeValue');
const parentNode = getterOf(Node.prototype, 'parentNode');
const parentElement = getterOf(Node.prototype, 'parentElement');
const firstChild = getterOf(Node.prototype, 'firstChild');
const nextSibling = getterOf(Node.prototype, 'nextSibling');
const ownerDocument = getterOf(Node.prototype, 'ownerDocument');
const textContent = getterOf(Node.prototype, 'textContent');
const documentElement = getterOf(Document.prototype, 'documentElement');
const rootNode = uncurry(Node.prototype.getRootNode);
const contains = uncurry(Node.prototype.contains);

const localName = getterOf(Element.prototype, 'localName');
const openRootOf = getterOf(Element.prototype, 'shadowRoot');
const elementSlot = getterOf(Element.prototype, 'assignedSlot');
const textSlot = getterOf(Text.prototype, 'assignedSlot');
const nextElement = getterOf(Element.prototype, 'nextElementSibling');
const previousElement = getterOf(Element.prototype, 'previousElementSibling');
const attr = uncurry(Element.prototype.getAttribute);
const hasAttr = uncurry(Element.prototype.hasAttribute);
const matches = uncurry(Element.prototype.matches);
const closest = uncurry(Element.prototype.closest);
const queryAll = uncurry(Element.prototype.querySelectorAll);
const queryAllFragment = uncurry(DocumentFragment.prototype.querySelectorAll);
const queryAllDocument = uncurry(Document.prototype.querySelectorAll);
const elementsAt = (scope, x, y) =>
  nodeType(scope) === DOCUMENT ? elementsAtInDocument(scope, x, y) : elementsAtInShadow(scope, x, y);
const elementsAtInDocument = uncurry(Document.prototype.elementsFromPoint);
const elementsAtInShadow = uncurry(ShadowRoot.prototype.elementsFromPoint);
const idInDocument = uncurry(Document.prototype.getElementById);
const idInFragment = uncurry(DocumentFragment.prototype.getElementById);
const checkVisibility = uncurry(Element.prototype.checkVisibility);
const boxOf = uncurry(Element.prototype.getBoundingClientRect);
const styleMap = uncurry(Element.prototype.computedStyleMap);
const labelControl = getterOf(HTMLLabelElement.prototype, 'control');
const assignedNodes = uncurry(HTMLSlotElement.prototype.assignedNodes);
const createRange = uncurry(Document.prototype.createRange);
// The elements that an id-list attribute refers to where the page set them as elements. Not every browser has each.
const elementsGetter = (name) => (name in Element.prototype ? getterOf(Element.prototype, name) : () => null);
const ELEMENT_LISTS = {
  'aria-describedby': elementsGetter('ariaDescribedByElements'),
  'aria-labelledby': elementsGetter('ariaLabelledByElements'),
  'aria-owns': elementsGetter('ariaOwnsElements'),
};

const NodeEvent = FocusEvent;
const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
const addListener = uncurry(EventTarget.prototype.addEventListener);
const removeListener = uncurry(EventTarget.prototype.removeEventListener);
const stopEvent = uncurry(Event.prototype.stopImmediatePropagation);
const preventDefault = uncurry(Event.prototype.preventDefault);
const relatedTarget = getterOf(FocusEvent.prototype, 'relatedTarget');

const ELEMENT = 1;
const TEXT = 3;
const DOCUMENT = 9;

const isElement = (node) => nodeType(node) === ELEMENT;
// Upper case for HTML, SVG and MathML alike, so that one table of tags serves all three.
const TAGS = new Map();
function tagOf(el) {
  const name = localName(el);
  let tag = TAGS.get(name);
  if (tag === undefined) {
    tag = name.toUpperCase();
    TAGS.set(name, tag);
  }
  return tag;
}
const ariaIs = (el, name, value) => ariaAttr(el, name)?.toLowerCase() === value;
const isBlank = (text) => text === null || text === undefined || text.trim() === '';
const tokens = (text) => (text ?? '').split(/[\t\n\f\r ]+/).filter((token) => token !== '');

// Parent in the flat tree: a slotted node's parent is its slot, a shadow tree's top is under its host.
function flatParent(node) {
  const slot = slotOf(node);
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return null;
  if (nodeType(parent) === ELEMENT) return parent;
  return parent.host ?? null;
}

// `closest` that goes on through shadow roots.
function closestAcross(el, selector) {
  for (let at = el; at;) {
    const found = closest(at, selector);
    if (found) return found;
    at = rootNode(at).host ?? null;
  }
  return null;
}

const elementById = (scope, id) => (nodeType(scope) === DOCUMENT ? idInDocument(scope, id) : idInFragment(scope, id));

// Elements by id in the tree scope (document or shadow root) that `el` is in.
function byIds(el, list) {
  const scope = rootNode(el);
  const found = [];
  // A tree that is in no document: its top is an element, which knows no ids.
  if (nodeType(scope) === ELEMENT) return found;
  for (const id of tokens(list)) {
    const target = elementById(scope, id);
    if (target) found.push(target);
  }
  return found;
}

// What an id-list attribute refers to: the ids, the element array that the page set (the attribute is then empty), or
// what the component's ElementInternals say.
function references(el, attribute) {
  const list = attr(el, attribute);
  if (list === null) return internalsOf(el)?.lists[attribute] ?? NO_NODES;
  return list === '' ? (ELEMENT_LISTS[attribute](el) ?? NO_NODES) : byIds(el, list);
}

const NO_NODES = [];

// Children in the flat tree, in the order in which they are read.
function flatChildren(el) {
  if (tagOf(el) === 'SLOT') {
    const assigned = assignedNodes(el);
    if (assigned.length > 0) return assigned;
  }
  const children = [];
  for (let node = firstChild(shadowRootOf(el) ?? el); node; node = nextSibling(node)) children.push(node);
  return children;
}
