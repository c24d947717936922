// The DOM, read past what a page can put in the way: <input name=parentNode> in a form and <img name=title> hide the
// members of the same name, in every world.

const bound = Function.prototype.bind.bind(Function.prototype.call);
const getter = (proto, name) => bound(Object.getOwnPropertyDescriptor(proto, name).get);

const nodeTypeOf = getter(Node.prototype, 'nodeType');
const parentOf = getter(Node.prototype, 'parentNode');
const firstChildOf = getter(Node.prototype, 'firstChild');
const nextSiblingOf = getter(Node.prototype, 'nextSibling');
const textContentOf = getter(Node.prototype, 'textContent');
const rootOf = bound(Node.prototype.getRootNode);
const comparePosition = bound(Node.prototype.compareDocumentPosition);
const containsNode = bound(Node.prototype.contains);
const localNameOf = getter(Element.prototype, 'localName');
const firstElementOf = getter(Element.prototype, 'firstElementChild');
const innerHtmlOf = getter(Element.prototype, 'innerHTML');
const outerHtmlOf = getter(Element.prototype, 'outerHTML');
const attrOf = bound(Element.prototype.getAttribute);
const hasAttrOf = bound(Element.prototype.hasAttribute);
const matchesCss = bound(Element.prototype.matches);
const isConnectedOf = getter(Node.prototype, 'isConnected');
const checkVisibilityOf = bound(Element.prototype.checkVisibility);
const clientRectsOf = bound(Element.prototype.getClientRects);
const scrollToOf = bound(Element.prototype.scrollIntoView);
const slotOf = getter(Element.prototype, 'assignedSlot');
const boxOf = bound(Element.prototype.getBoundingClientRect);
const innerTextOf = getter(HTMLElement.prototype, 'innerText');
const labelControlOf = getter(HTMLLabelElement.prototype, 'control');
const titleOf = getter(Document.prototype, 'title');
const urlOf = getter(Document.prototype, 'URL');
const activeElementOf = getter(Document.prototype, 'activeElement');
const documentElementOf = getter(Document.prototype, 'documentElement');
const doctypeOf = getter(Document.prototype, 'doctype');
const evaluateXPath = bound(Document.prototype.evaluate);
const allInElement = bound(Element.prototype.querySelectorAll);
const allInFragment = bound(DocumentFragment.prototype.querySelectorAll);
const allInDocument = bound(Document.prototype.querySelectorAll);

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;
const DOCUMENT_NODE = 9;

const allIn = (scope, css) => {
  const type = nodeTypeOf(scope);
  return (type === ELEMENT_NODE ? allInElement : type === DOCUMENT_NODE ? allInDocument : allInFragment)(scope, css);
};

const childElementsOf = (element) => {
  const children = [];
  for (let node = firstChildOf(element); node; node = nextSiblingOf(node)) {
    if (nodeTypeOf(node) === ELEMENT_NODE) children.push(node);
  }
  return children;
};

// The element around an element, out of shadow trees too.
const parentAcross = (element) => {
  const parent = parentOf(element);
  return parent === null ? null : nodeTypeOf(parent) === ELEMENT_NODE ? parent : (parent.host ?? null);
};
