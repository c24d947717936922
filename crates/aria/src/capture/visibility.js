// What is in the accessibility tree at all (ARIA 1.2 section 7.1, HTML inertness).
// SHOWN: exposed. BARE: the element itself is not, but parts of its subtree may be
// (`visibility: hidden` with a visible child; the ancestors of an open modal dialog).
// PRUNED: neither it nor anything below.
const SHOWN = 'shown';
const BARE = 'bare';
const PRUNED = 'pruned';

const IGNORED_TAGS = new Set(['STYLE', 'SCRIPT', 'NOSCRIPT', 'TEMPLATE']);
const REPLACED_TAGS = new Set(['VIDEO', 'AUDIO', 'IFRAME', 'FRAME', 'EMBED', 'OBJECT']);

function exposure(el) {
  let found = pass.exposures.get(el);
  if (found === undefined) {
    // Up to what is known, then down again.
    const unknown = [];
    for (let at = el; at && found === undefined; at = ownerOf(at) ?? flatParent(at)) {
      found = pass.exposures.get(at);
      if (found === undefined) unknown.push(at);
    }
    for (let at = unknown.length - 1; at >= 0; at -= 1) {
      const parent = ownerOf(unknown[at]) ?? flatParent(unknown[at]);
      found = found === PRUNED ? PRUNED : ownExposure(unknown[at], parent);
      pass.exposures.set(unknown[at], found);
    }
  }
  return found;
}

// The exposure of `el` given that its parent is not pruned.
function ownExposure(el, parent) {
  const tag = tagOf(el);
  if (IGNORED_TAGS.has(tag) || ariaIs(el, 'aria-hidden', 'true') || isUnslotted(el)) return PRUNED;
  // An image map's areas are never boxes of their own: they are where their image is.
  if (tag === 'AREA') return imageOfArea(el) ? SHOWN : PRUNED;
  const isVisible = checkVisibility(el, WITH_VISIBILITY);
  const display = displayOf(el);
  if (display === 'none') return PRUNED;
  // A modal dialog escapes from an inert ancestor, so its ancestors are asked for it first.
  const blocked = modalExposure(el);
  if (blocked !== SHOWN) return blocked;
  if (hasAttr(el, 'inert') || isInertByStyle(el)) return PRUNED;
  if (isVisible) return SHOWN;
  if (display === 'contents') {
    // It has no box that could tell whether its place is rendered.
    if (parent !== null && skipsContents(parent, el)) return PRUNED;
  } else if (tag !== 'SLOT' && !checkVisibility(el)) {
    if (!isUnrenderedPart(el, tag, parent)) return PRUNED;
    // The list of a drop-down shows all that is not removed from it.
    if (tag === 'OPTION' || tag === 'OPTGROUP') return SHOWN;
  }
  return computedStyle(el).visibility === 'visible' ? SHOWN : BARE;
}

const WITH_VISIBILITY = { visibilityProperty: true };
const isInertByStyle = (el) => styleReach(el).interactivity && computedStyle(el).interactivity === 'inert';

// Parts of a control that are exposed although they have no box: the options of a closed
// drop-down list and the fallback content of a canvas.
function isUnrenderedPart(el, tag, parent) {
  if (closest(el, 'canvas') && tag !== 'CANVAS') return true;
  if (tag === 'OPTION' || tag === 'OPTGROUP') return closest(el, 'select') !== null;
  return parent !== null && closest(el, 'select option') !== null;
}

// A light child of a shadow host that no slot takes.
function isUnslotted(node) {
  const parent = parentElement(node);
  return parent !== null && shadowRootOf(parent) !== null && !slotOf(node);
}

// Whether a text node under an exposed element is itself rendered. `force` is for text below a
// hidden element that is named by reference: everything under it counts (accname step 2A).
function isTextShown(node, parent, force) {
  if (isUnslotted(node)) return force;
  if (force) return true;
  if (exposure(parent) !== SHOWN) return false;
  return !skipsContents(parent, node);
}

// Whether a rendered element leaves out this child.
function skipsContents(parent, node) {
  const tag = tagOf(parent);
  if (tag === 'DETAILS') return !hasAttr(parent, 'open') && node !== summaryOf(parent);
  if (REPLACED_TAGS.has(tag)) return tag !== 'OBJECT' || !hasBoxes(node);
  return styleReach(parent).skipping && computedStyle(parent).contentVisibility === 'hidden';
}

function summaryOf(details) {
  for (let node = firstChild(details); node; node = nextSibling(node))
    if (isElement(node) && tagOf(node) === 'SUMMARY') return node;
  return null;
}

function hasBoxes(node) {
  const page = pageOf(node);
  page.range ??= createRange(page.doc);
  page.range.selectNode(node);
  return page.range.getClientRects().length > 0;
}

// Everything but the topmost modal dialog is inert while it is open (HTML, "blocked by a modal
// dialog"). The dialog's ancestors hold it, so they are bare, not pruned.
function modalExposure(el) {
  const modal = activeModal(pageOf(el));
  if (modal === null || modal.dialog === el || modal.inside.has(el)) return SHOWN;
  if (modal.ancestors.has(el)) return BARE;
  const parent = flatParent(el);
  if (parent && (parent === modal.dialog || modal.inside.has(parent))) {
    modal.inside.add(el);
    return SHOWN;
  }
  return PRUNED;
}

function activeModal(page) {
  if (page.modal === undefined) {
    const open = page.scopes.flatMap((scope) => [...allIn(scope, 'dialog:modal')]);
    page.modal = open.length === 0 ? null : { dialog: topmost(open), ancestors: new Set(), inside: new Set() };
    for (let at = page.modal && flatParent(page.modal.dialog); at; at = flatParent(at)) page.modal.ancestors.add(at);
  }
  return page.modal;
}

// The top layer's order can't be read, but inert elements are never hit: of several modal dialogs
// only the active one, and modal dialogs inside it, are found at their own centre. The outermost is it.
function topmost(dialogs) {
  if (dialogs.length > 1) {
    for (const dialog of dialogs) {
      const box = boxOf(dialog);
      const hits = elementsAt(rootNode(dialog), box.left + box.width / 2, box.top + box.height / 2);
      if (hits.includes(dialog)) return dialog;
    }
  }
  return dialogs[dialogs.length - 1];
}

function imageOfArea(area) {
  const map = closest(area, 'map');
  if (!map) return null;
  for (const image of allIn(rootNode(area), 'img[usemap]')) {
    if (mapOfImage(image) === map && exposure(image) === SHOWN) return image;
  }
  return null;
}

function mapOfImage(image) {
  const name = (attr(image, 'usemap') ?? '').replace(/^#/, '');
  if (name === '') return null;
  for (const map of allIn(rootNode(image), 'map')) {
    if (attr(map, 'name') === name) return map;
  }
  return null;
}

// aria-owns: the owner becomes the parent. Of several owners the last one has the element, as in Chromium; an owner
// inside what it owns is a cycle and owns nothing.
function ownersIn(page) {
  if (page.owners === null) {
    page.owners = new Map();
    page.owned = new Map();
    const owners = page.scopes.flatMap((scope) => [...allIn(scope, '[aria-owns]')]);
    for (const host of page.internalsHosts) if (!hasAttr(host, 'aria-owns')) owners.push(host);
    for (const owner of owners) {
      for (const el of references(owner, 'aria-owns')) {
        const before = page.owners.get(el);
        page.owners.delete(el);
        if (!contains(el, owner) && !ownsThrough(page.owners, el, owner)) page.owners.set(el, owner);
        else if (before !== undefined) page.owners.set(el, before);
      }
    }
    for (const owner of owners) {
      const kept = references(owner, 'aria-owns').filter((el) => page.owners.get(el) === owner);
      if (kept.length > 0) page.owned.set(owner, [...new Set(kept)]);
    }
  }
  return page.owners;
}

// Whether `el` already is, through earlier owners, an ancestor of `owner`.
function ownsThrough(owners, el, owner) {
  for (let at = owner; at; at = owners.get(at) ?? flatParent(at)) if (at === el) return true;
  return false;
}

function ownerOf(el) {
  const owners = ownersIn(pageOf(el));
  return owners.size === 0 ? null : (owners.get(el) ?? null);
}

// Read where its owner is, or, for an image map's area, where the image is.
const isElsewhere = (el) => tagOf(el) === 'AREA' || ownerOf(el) !== null;

function ownedBy(el) {
  const page = pageOf(el);
  return ownersIn(page).size === 0 ? NO_NODES : (page.owned.get(el) ?? NO_NODES);
}

// On screen in the plain sense: a box with an area, and visible. Not about accessibility.
function isRendered(el) {
  const pending = [el];
  while (pending.length > 0) {
    const node = pending.pop();
    if (nodeType(node) === TEXT ? hasBoxes(node) : isElement(node) && hasVisibleBox(node)) return true;
    // Without a box of its own it is where its children are.
    if (isElement(node) && displayOf(node) === 'contents') pending.push(...flatChildren(node));
  }
  return false;
}

function hasVisibleBox(el) {
  if (!checkVisibility(el, WITH_VISIBILITY)) return false;
  const box = boxOf(el);
  return box.width > 0 && box.height > 0;
}
