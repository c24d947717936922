// Shadow trees: looked through as if they were part of the document.

const shadowOf = (element) => aria.shadowRoot(element);

// Elements that may hold a closed root which came with the source. Looking for them costs a look at every element, so
// it is done once for each document that has been read to its end, and when a wait finds nothing.
let hosts = [];
let hasAskedHosts = false;

const hasNewHosts = (again = false) => {
  if (hosts.length > 0) return true;
  if ((hasAskedHosts && !again) || document.readyState === 'loading') return false;
  hasAskedHosts = true;
  hosts = aria.unknownHosts();
  return hosts.length > 0;
};

const takeHosts = () => hosts.splice(0);

const adoptRoots = (nodes) => {
  for (let i = 0; i < nodes.length; i += 2) aria.adopt(nodes[i], nodes[i + 1]);
};

// The roots seen by the last look: changes in them are watched too.
let watchedRoots = [];

// The scope and every shadow root under it.
const rootsIn = (scope) => {
  const roots = [scope];
  if (nodeTypeOf(scope) === ELEMENT_NODE) {
    const own = shadowOf(scope);
    if (own) roots.push(own);
  }
  for (let i = 0; i < roots.length; i++) {
    for (const element of allIn(roots[i], '*')) {
      const root = shadowOf(element);
      if (root) roots.push(root);
    }
  }
  if (scope === document) watchedRoots = roots;
  return roots;
};

// All elements under the scope that the selector matches within their own tree.
const select = (scope, css) => {
  const roots = rootsIn(scope);
  if (roots.length === 1) return [...allIn(scope, css)];
  return inOrder(roots.flatMap((root) => [...allIn(root, css)]));
};

// A selector whose parts may lie in different trees: `x-card button` finds the button in the card's shadow tree.
const selectCss = (scope, css) => {
  const relative = /^\s*[>+~]/.test(css) ? `:scope ${css}` : css;
  const roots = rootsIn(scope);
  // Parsed by the browser first: it knows what a selector is.
  const here = [...allIn(scope, relative)];
  // What is relative to the scope stays in its tree.
  if (roots.length === 1 || relative !== css) return here;
  const chains = splitOutside(css, ',').map((one) => splitOutside(one.trim(), ' '));
  const found = new Set(here);
  for (const parts of chains) {
    for (const root of roots) {
      for (const element of allIn(root, parts[parts.length - 1])) {
        if (!found.has(element) && hasAncestors(element, parts)) found.add(element);
      }
    }
  }
  return inOrder([...found]);
};

const hasAncestors = (element, parts) => {
  let at = element;
  for (let i = parts.length - 2; i >= 0; i--) {
    do at = parentAcross(at);
    while (at && !matchesCss(at, parts[i]));
    if (!at) return false;
  }
  return true;
};

// Splits a selector at commas, or at descendant combinators, but not within brackets and quotes.
const splitOutside = (css, mark) => {
  const parts = [''];
  let depth = 0;
  let quote = null;
  for (let i = 0; i < css.length; i++) {
    const c = css[i];
    if (c === '\\') {
      parts[parts.length - 1] += c + (css[++i] ?? '');
      continue;
    }
    if (quote !== null) quote = c === quote ? null : quote;
    else if (c === '"' || c === "'") quote = c;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    if (depth > 0 || quote !== null || (mark === ',' ? c !== ',' : !/\s/.test(c))) {
      parts[parts.length - 1] += c;
    } else if (mark === ',' || !(/[>+~]\s*$/.test(parts[parts.length - 1]) || /^\s*([>+~]|$)/.test(css.slice(i)))) {
      if (parts[parts.length - 1] !== '') parts.push('');
    } else {
      parts[parts.length - 1] += c;
    }
  }
  return parts;
};

// Each once, in the order of the page: a shadow tree comes before the other children of its host.
const inOrder = (elements) => [...new Set(elements)].sort(byPosition);

const byPosition = (a, b) => {
  if (rootOf(a) === rootOf(b)) return position(a, b);
  const [one, two] = [chainOf(a), chainOf(b)];
  while (one.length > 1 && two.length > 1 && one[one.length - 2] === two[two.length - 2]) {
    one.pop();
    two.pop();
  }
  const [left, right] = [one[one.length - 1], two[two.length - 1]];
  return left === right ? one.length - two.length : position(left, right);
};

const position = (a, b) => {
  const bits = comparePosition(a, b);
  return bits & Node.DOCUMENT_POSITION_DISCONNECTED ? 0 : bits & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
};

// The element and the hosts around it, outermost last.
const chainOf = (element) => {
  const chain = [element];
  for (let host = rootOf(element).host; host; host = rootOf(host).host) chain.push(host);
  return chain;
};
