// A pass is one synchronous call from outside. The page can't change during it, so computed
// styles, exposure, roles and owners are computed once an element and dropped at the end.
let pass = null;
let passDepth = 0;

function inPass(work) {
  if (passDepth === 0) {
    pass = {
      styles: new Map(),
      exposures: new Map(),
      pseudos: { '::before': new Map(), '::after': new Map() },
      roles: new Map(),
      disabled: new Map(),
      marks: new Map(),
      markIds: new Map(),
      markAttribute: null,
      scopes: null,
      internalsHosts: [],
      closedSlots: new Map(),
      internals: new Map(),
      owners: null,
      owned: null,
      modals: new Map(),
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

// The computed values that exposure and text ask for, read once: each read of a live style costs more
// than all the rest of an element's visit.
function styleOf(el) {
  let style = pass.styles.get(el);
  if (style === undefined) {
    const { display, visibility, interactivity, content, contentVisibility } = computedStyle(el);
    style = { display, visibility, interactivity, content, contentVisibility };
    pass.styles.set(el, style);
  }
  return style;
}

// The document and every known shadow root in it: a pass looks for owners and dialogs in all of them.
function treeScopes(doc) {
  if (pass.scopes === null) {
    pass.scopes = [];
    const pending = [doc];
    while (pending.length > 0) {
      const scope = pending.pop();
      pass.scopes.push(scope);
      for (const el of allIn(scope, '*')) {
        const shadow = shadowRootOf(el);
        if (shadow) pending.push(shadow);
        if (anyInternals && internalsHosts.has(el)) pass.internalsHosts.push(el);
      }
    }
  }
  return pass.scopes;
}

const allIn = (scope, selector) =>
  nodeType(scope) === DOCUMENT ? queryAllDocument(scope, selector) : queryAllFragment(scope, selector);
