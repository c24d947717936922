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
const rootNode = uncurry(Node.prototype.getRootNode);
const contains = uncurry(Node.prototype.contains);

const localName = getterOf(Element.prototype, 'localName');
const shadowRootOf = getterOf(Element.prototype, 'shadowRoot');
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
const checkVisibility = uncurry(Element.prototype.checkVisibility);
const boxOf = uncurry(Element.prototype.getBoundingClientRect);
const assignedNodes = uncurry(HTMLSlotElement.prototype.assignedNodes);

const ELEMENT = 1;
const TEXT = 3;

const isElement = (node) => nodeType(node) === ELEMENT;
// Upper case for HTML, SVG and MathML alike, so that one table of tags serves all three.
const tagOf = (el) => localName(el).toUpperCase();
const attrIs = (el, name, value) => {
  const found = attr(el, name);
  return found !== null && found.toLowerCase() === value;
};
const isBlank = (text) => text === null || text === undefined || text.trim() === '';
const tokens = (text) => (text ?? '').split(/[\t\n\f\r ]+/).filter((token) => token !== '');

const slotOf = (node) => (nodeType(node) === TEXT ? textSlot(node) : elementSlot(node));

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
  for (let at = el; at; ) {
    const found = closest(at, selector);
    if (found) return found;
    at = rootNode(at).host ?? null;
  }
  return null;
}

// Elements by id in the tree scope (document or shadow root) that `el` is in.
function byIds(el, list) {
  const scope = rootNode(el);
  const found = [];
  if (typeof scope.getElementById !== 'function') return found;
  for (const id of tokens(list)) {
    const target = scope.getElementById(id);
    if (target) found.push(target);
  }
  return found;
}

// What an id-list attribute refers to: the reflected element array where the page set one, else the ids.
function references(el, attribute, property) {
  if (!hasAttr(el, attribute)) return [];
  const list = attr(el, attribute);
  const reflected = list === '' ? el[property] : null;
  return reflected ? [...reflected] : byIds(el, list);
}

const NO_NODES = [];

// Children in the flat tree, in the order in which they are read.
function* flatChildren(el) {
  if (tagOf(el) === 'SLOT') {
    const assigned = assignedNodes(el);
    if (assigned.length > 0) {
      yield* assigned;
      return;
    }
  }
  const shadow = shadowRootOf(el);
  for (let node = firstChild(shadow ?? el); node; node = nextSibling(node)) yield node;
}
