// A pass is one synchronous call from outside. The page can't change during it, so computed
// styles, exposure, roles and owners are computed once an element and dropped at the end.
let pass = null;
let passDepth = 0;

function inPass(work) {
  if (passDepth === 0) {
    pass = {
      pages: new Map(),
      page: null,
      displays: new Map(),
      exposures: new Map(),
      pseudos: { '::before': new Map(), '::after': new Map() },
      roles: new Map(),
      ariaDisabled: new Map(),
      internals: new Map(),
      closedSlots: new Map(),
      deepTexts: new Map(),
      depth: 0,
      marks: new Map(),
      markIds: new Map(),
      markAttribute: null,
      isFull: false,
      labels: new Map(),
    };
  }
  passDepth += 1;
  try {
    return work();
  } finally {
    passDepth -= 1;
    if (passDepth === 0) pass = null;
  }
}

// Each read of a live style costs more than all the rest of an element's visit.
function displayOf(el) {
  let display = pass.displays.get(el);
  if (display === undefined) {
    display = computedStyle(el).display;
    pass.displays.set(el, display);
  }
  return display;
}

// What is known of a whole document: computed by whoever asks first.
function pageOf(el) {
  const doc = ownerDocument(el) ?? el;
  if (pass.page?.doc !== doc) {
    pass.page = pass.pages.get(doc);
    if (pass.page === undefined) {
      pass.page = {
        doc,
        internalsHosts: [],
        scopes: null,
        reach: null,
        owners: null,
        owned: null,
        modal: undefined,
        counted: null,
        range: null,
      };
      pass.page.scopes = treeScopes(pass.page);
      pass.pages.set(doc, pass.page);
    }
  }
  return pass.page;
}

// The document and every known shadow root in it: owners, dialogs and rules are looked for in all of them.
function treeScopes(page) {
  const scopes = [];
  const pending = [page.doc];
  while (pending.length > 0) {
    const scope = pending.pop();
    scopes.push(scope);
    for (const el of allIn(scope, '*')) {
      const shadow = shadowRootOf(el);
      if (shadow) pending.push(shadow);
      if (anyInternals && internalsHosts.has(el)) page.internalsHosts.push(el);
    }
  }
  return scopes;
}

const allIn = (scope, selector) =>
  nodeType(scope) === DOCUMENT ? queryAllDocument(scope, selector) : queryAllFragment(scope, selector);
