// Roles: WAI-ARIA 1.2 (with the 1.3 additions browsers expose), DPUB-ARIA, Graphics-ARIA for the
// role attribute; HTML-AAM and SVG-AAM for elements without one.
const VALID_ROLES = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader ' +
    'combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed ' +
    'figure form generic grid gridcell group heading image img insertion link list listbox listitem log main ' +
    'mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option ' +
    'paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search ' +
    'searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab table ' +
    'tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem ' +
    'graphics-document graphics-object graphics-symbol ' +
    'doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography ' +
    'doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication ' +
    'doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword ' +
    'doc-glossary doc-glossref doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter ' +
    'doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc'
  ).split(' '),
);

const IMPLICIT_ROLES = {
  ADDRESS: 'group',
  ARTICLE: 'article',
  BLOCKQUOTE: 'blockquote',
  BUTTON: 'button',
  CAPTION: 'caption',
  CODE: 'code',
  DATALIST: 'listbox',
  DD: 'definition',
  DEL: 'deletion',
  DETAILS: 'group',
  DFN: 'term',
  DIALOG: 'dialog',
  DIR: 'list',
  DT: 'term',
  EM: 'emphasis',
  FIELDSET: 'group',
  FIGURE: 'figure',
  FORM: 'form',
  FRAME: 'iframe',
  H1: 'heading',
  H2: 'heading',
  H3: 'heading',
  H4: 'heading',
  H5: 'heading',
  H6: 'heading',
  HGROUP: 'group',
  HR: 'separator',
  HTML: 'document',
  IFRAME: 'iframe',
  INS: 'insertion',
  LI: 'listitem',
  MAIN: 'main',
  MARK: 'mark',
  MATH: 'math',
  MENU: 'list',
  METER: 'meter',
  NAV: 'navigation',
  OL: 'list',
  OPTGROUP: 'group',
  OPTION: 'option',
  OUTPUT: 'status',
  P: 'paragraph',
  PROGRESS: 'progressbar',
  S: 'deletion',
  SEARCH: 'search',
  STRONG: 'strong',
  SUB: 'subscript',
  SUP: 'superscript',
  SVG: 'img',
  TABLE: 'table',
  TBODY: 'rowgroup',
  TEXTAREA: 'textbox',
  TFOOT: 'rowgroup',
  THEAD: 'rowgroup',
  TIME: 'time',
  TR: 'row',
  UL: 'list',
};

const INPUT_ROLES = {
  button: 'button',
  checkbox: 'checkbox',
  file: 'button',
  hidden: null,
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
};
const LISTED_INPUTS = new Set(['email', 'search', 'tel', 'text', 'url']);

// A parent with an explicit none/presentation takes these children's roles with it (ARIA 1.2, 5.3.3).
const PRESENTATIONAL_PARENTS = {
  DD: ['DL', 'DIV'],
  DIV: ['DL'],
  DT: ['DL', 'DIV'],
  LI: ['OL', 'UL', 'MENU', 'DIR'],
  TBODY: ['TABLE'],
  TD: ['TR'],
  TFOOT: ['TABLE'],
  TH: ['TR'],
  THEAD: ['TABLE'],
  TR: ['THEAD', 'TBODY', 'TFOOT', 'TABLE'],
};

const GLOBAL_ATTRIBUTES = [
  'aria-atomic',
  'aria-busy',
  'aria-controls',
  'aria-current',
  'aria-describedby',
  'aria-details',
  'aria-dropeffect',
  'aria-flowto',
  'aria-grabbed',
  'aria-hidden',
  'aria-keyshortcuts',
  'aria-live',
  'aria-owns',
  'aria-relevant',
];
const NAME_PROHIBITED = new Set([
  'caption',
  'code',
  'deletion',
  'emphasis',
  'generic',
  'insertion',
  'mark',
  'none',
  'paragraph',
  'presentation',
  'strong',
  'subscript',
  'suggestion',
  'superscript',
  'time',
]);
const SECTIONING = 'article:not([role]), aside:not([role]), nav:not([role]), section:not([role])';
const LANDMARK_SCOPE =
  SECTIONING +
  ', main:not([role]), [role=article], [role=complementary], [role=main], [role=navigation], [role=region]';

const isPresentational = (role) => role === 'none' || role === 'presentation';

// The computed role; null for an element that only groups (generic) or is presentational.
function roleOf(el) {
  let role = pass.roles.get(el);
  if (role === undefined) {
    // A section may be named by itself, and names ask for roles: until known, it has none.
    pass.roles.set(el, null);
    role = computeRole(el);
    pass.roles.set(el, role);
  }
  return role;
}

function computeRole(el) {
  const explicit = explicitRole(el);
  if (explicit !== null && !isPresentational(explicit)) return exposedRole(el, explicit);
  const implicit = implicitRole(el);
  if (explicit !== null && !hasRoleConflict(el, implicit)) return null;
  if (explicit === null && implicit !== null && inheritsPresentation(el)) return null;
  return implicit;
}

function exposedRole(el, role) {
  if (role === 'image') return 'img';
  // A region without a name is no landmark (ARIA 1.2, region).
  if (role === 'region' && !hasAuthorName(el)) return null;
  // Nor is what only says that it is a form.
  if (role === 'form' && tagOf(el) !== 'FORM' && !hasAuthorName(el)) return null;
  return Object.hasOwn(REQUIRED_CONTEXT, role) && !hasContext(el, REQUIRED_CONTEXT[role]) ? null : role;
}

// Items that are in no composite are none (ARIA 1.2, 5.2.6): as in Chromium, for these three. The parent is the next
// element out, or owner, that has a role.
const REQUIRED_CONTEXT = {
  listitem: ['list', 'directory', 'group'],
  option: ['listbox', 'group'],
  treeitem: ['tree', 'group'],
};

function hasContext(el, parents) {
  if (!validRole(attr(el, 'role')) || tagOf(el) === 'LI' || tagOf(el) === 'OPTION') return true;
  for (let at = ownerOf(el) ?? flatParent(el); at; at = ownerOf(at) ?? flatParent(at)) {
    const role = roleOf(at);
    if (role !== null && role !== 'generic') return parents.includes(role);
  }
  return false;
}

const explicitRole = (el) => validRole(attr(el, 'role'));

function validRole(text) {
  for (const token of tokens(text)) {
    const role = token.toLowerCase();
    if (VALID_ROLES.has(role)) return role;
  }
  return null;
}

function implicitRole(el) {
  const tag = tagOf(el);
  switch (tag) {
    case 'A':
    case 'AREA':
      return hasHref(el) ? 'link' : null;
    case 'ASIDE':
      return hasAuthorName(el) || !insideOf(el, SECTIONING) ? 'complementary' : null;
    case 'HEADER':
      return insideOf(el, LANDMARK_SCOPE) ? null : 'banner';
    case 'FOOTER':
      return insideOf(el, LANDMARK_SCOPE) ? null : 'contentinfo';
    case 'SECTION':
      return hasAuthorName(el) ? 'region' : null;
    case 'IMG':
      return isDecorativeImage(el) ? null : 'img';
    case 'INPUT':
      return inputRole(el);
    case 'SELECT':
      return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    case 'TD':
      return cellRole(el);
    case 'TH':
      return headerCellRole(el);
    default:
      // Own keys only: a custom element can be called <constructor->, but never lacks the hyphen.
      if (el.ownerSVGElement !== undefined && tag !== 'A') return svgRole(el, tag);
      if (Object.hasOwn(IMPLICIT_ROLES, tag)) return IMPLICIT_ROLES[tag];
      if (tag.includes('-')) {
        const role = validRole(internalsOf(el)?.values.role);
        if (role !== null && !isPresentational(role)) return exposedRole(el, role);
      }
      return hasAttr(el, 'popover') ? 'group' : null;
  }
}

// Parts of a picture have a role when they say something of themselves (SVG-AAM, "including elements").
function svgRole(el, tag) {
  if (el.ownerSVGElement === null) return tag === 'SVG' ? 'img' : null;
  if (!Object.hasOwn(SVG_ROLES, tag)) return null;
  if (SVG_NAMES.some((name) => hasAttr(el, name))) return SVG_ROLES[tag];
  for (let node = firstChild(el); node; node = nextSibling(node)) {
    if (isElement(node) && (tagOf(node) === 'TITLE' || tagOf(node) === 'DESC')) return SVG_ROLES[tag];
  }
  return null;
}

const SVG_NAMES = ['aria-label', 'aria-labelledby', 'aria-describedby', 'aria-description', 'tabindex'];
const SVG_ROLES = {
  CIRCLE: 'graphics-symbol',
  ELLIPSE: 'graphics-symbol',
  FOREIGNOBJECT: 'group',
  G: 'group',
  IMAGE: 'img',
  LINE: 'graphics-symbol',
  PATH: 'graphics-symbol',
  POLYGON: 'graphics-symbol',
  POLYLINE: 'graphics-symbol',
  RECT: 'graphics-symbol',
  SVG: 'group',
  USE: 'graphics-object',
};

const hasHref = (el) => hasAttr(el, 'href') || hasAttr(el, 'xlink:href');

function insideOf(el, selector) {
  const parent = flatParent(el);
  return parent !== null && closestAcross(parent, selector) !== null;
}

// A name given by the author on the element itself, as landmarks and regions need it.
function hasAuthorName(el) {
  if (!isBlank(ariaAttr(el, 'aria-label')) || !isBlank(attr(el, 'title'))) return true;
  return labelledByText(el, new Set()) !== '';
}

const isDecorativeImage = (el) =>
  attr(el, 'alt') === '' && !attr(el, 'title') && !hasGlobalAttribute(el, null) && !hasAttr(el, 'tabindex');

function inputRole(el) {
  const type = el.type;
  if (LISTED_INPUTS.has(type) && el.list) return 'combobox';
  return Object.hasOwn(INPUT_ROLES, type) ? INPUT_ROLES[type] : 'textbox';
}

function cellRole(el) {
  const table = closestAcross(el, 'table');
  const role = table && explicitRole(table);
  return role === 'grid' || role === 'treegrid' ? 'gridcell' : 'cell';
}

// HTML-AAM leaves an unscoped th to the table model; this follows what browsers do with its neighbours.
function headerCellRole(el) {
  const scope = (attr(el, 'scope') ?? '').toLowerCase();
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  const next = nextElement(el);
  const previous = previousElement(el);
  const row = parentElement(el);
  if (!next && !previous) {
    const table = closest(el, 'table');
    return row && tagOf(row) === 'TR' && table && table.rows.length <= 1 ? null : 'columnheader';
  }
  const isHeader = (cell) => cell !== null && tagOf(cell) === 'TH';
  if (isHeader(next) && isHeader(previous)) return 'columnheader';
  const isFilled = (cell) =>
    cell !== null && tagOf(cell) === 'TD' && (!isBlank(textContent(cell)) || cell.childElementCount > 0);
  return isFilled(next) || isFilled(previous) ? 'rowheader' : 'columnheader';
}

// none/presentation give way to focus and to global attributes (ARIA 1.2, 5.3.3 "conflict resolution").
const hasRoleConflict = (el, role) => isFocusable(el) || hasGlobalAttribute(el, role);

function hasGlobalAttribute(el, role) {
  for (const name of GLOBAL_ATTRIBUTES) if (hasAttr(el, name)) return true;
  if (role !== 'generic' && hasAttr(el, 'aria-roledescription')) return true;
  if (role !== null && NAME_PROHIBITED.has(role)) return false;
  return ariaAttr(el, 'aria-label') !== null || hasAttr(el, 'aria-labelledby');
}

const NATIVE_DISABLED_TAGS = new Set(['BUTTON', 'INPUT', 'SELECT', 'TEXTAREA', 'OPTION', 'OPTGROUP']);
const isNativelyDisabled = (el) => NATIVE_DISABLED_TAGS.has(tagOf(el)) && matches(el, ':disabled');

function isFocusable(el) {
  if (isNativelyDisabled(el)) return false;
  const tabindex = attr(el, 'tabindex');
  if (tabindex !== null && !Number.isNaN(Number(tabindex))) return true;
  switch (tagOf(el)) {
    case 'BUTTON':
    case 'DETAILS':
    case 'SELECT':
    case 'TEXTAREA':
      return true;
    case 'A':
    case 'AREA':
      return hasAttr(el, 'href');
    case 'INPUT':
      return !hasAttr(el, 'hidden');
    default:
      return false;
  }
}

function inheritsPresentation(el) {
  let tag = tagOf(el);
  for (let at = el; ;) {
    const parent = parentElement(at);
    if (!parent || !(PRESENTATIONAL_PARENTS[tag] ?? NO_NODES).includes(tagOf(parent))) return false;
    const role = explicitRole(parent);
    if (role !== null) return isPresentational(role) && !hasRoleConflict(parent, implicitRole(parent));
    at = parent;
    tag = tagOf(parent);
  }
}
