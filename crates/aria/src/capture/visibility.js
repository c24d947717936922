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
  const style = styleOf(el);
  // An image map's areas are never boxes of their own: they are where their image is.
  if (tag === 'AREA') return imageOfArea(el) ? SHOWN : PRUNED;
  if (style.display === 'none') return PRUNED;
  // A modal dialog escapes from an inert ancestor, so its ancestors are asked for it first.
  const blocked = modalExposure(el);
  if (blocked !== SHOWN) return blocked;
  if (hasAttr(el, 'inert') || style.interactivity === 'inert') return PRUNED;
  if (style.display === 'contents') {
    if (tag !== 'SLOT' && !hasShownChild(el, style)) return PRUNED;
    return style.visibility === 'visible' ? SHOWN : BARE;
  }
  if (tag !== 'SLOT' && !checkVisibility(el) && !isUnrenderedPart(el, tag, parent)) return PRUNED;
  return style.visibility === 'visible' ? SHOWN : BARE;
}

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

function hasShownChild(el, style) {
  for (const child of flatChildren(el)) {
    const type = nodeType(child);
    if (type === TEXT && style.visibility === 'visible' && !isBlank(nodeValue(child))) return true;
    if (type === ELEMENT && ownExposure(child, el) !== PRUNED) return true;
  }
  return false;
}

// Whether a text node under an exposed element is itself rendered. `force` is for text below a
// hidden element that is named by reference: everything under it counts (accname step 2A).
function isTextShown(node, parent, force) {
  if (isUnslotted(node)) return force;
  if (force) return true;
  if (exposure(parent) !== SHOWN) return false;
  const tag = tagOf(parent);
  if (tag === 'DETAILS') return hasAttr(parent, 'open');
  if (REPLACED_TAGS.has(tag)) return tag === 'OBJECT' && hasBoxes(node);
  return styleOf(parent).contentVisibility !== 'hidden';
}

function hasBoxes(node) {
  const range = createRange(ownerDocument(node));
  range.selectNode(node);
  return range.getClientRects().length > 0;
}

// Everything but the topmost modal dialog is inert while it is open (HTML, "blocked by a modal
// dialog"). The dialog's ancestors hold it, so they are bare, not pruned.
function modalExposure(el) {
  const modal = activeModal(ownerDocument(el));
  if (modal === null || modal.dialog === el || modal.inside.has(el)) return SHOWN;
  if (modal.ancestors.has(el)) return BARE;
  const parent = flatParent(el);
  if (parent && (parent === modal.dialog || modal.inside.has(parent))) {
    modal.inside.add(el);
    return SHOWN;
  }
  return PRUNED;
}

function activeModal(doc) {
  let modal = pass.modals.get(doc);
  if (modal === undefined) {
    const open = [];
    for (const scope of treeScopes(doc)) open.push(...allIn(scope, 'dialog:modal'));
    modal = open.length === 0 ? null : { dialog: topmost(open), ancestors: new Set(), inside: new Set() };
    for (let at = modal && flatParent(modal.dialog); at; at = flatParent(at)) modal.ancestors.add(at);
    pass.modals.set(doc, modal);
  }
  return modal;
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

// aria-owns: the owner becomes the parent. The first owner keeps the element; an owner inside
// what it owns is a cycle and owns nothing.
function ownersOf(doc) {
  if (pass.owners === null) {
    pass.owners = new Map();
    pass.owned = new Map();
    const owners = treeScopes(doc).flatMap((scope) => [...allIn(scope, '[aria-owns]')]);
    for (const host of pass.internalsHosts) if (!hasAttr(host, 'aria-owns')) owners.push(host);
    for (const owner of owners) {
      const kept = [];
      for (const el of references(owner, 'aria-owns')) {
        if (pass.owners.has(el) || contains(el, owner) || ownsThrough(el, owner)) continue;
        pass.owners.set(el, owner);
        kept.push(el);
      }
      if (kept.length > 0) pass.owned.set(owner, kept);
    }
  }
  return pass.owners;
}

// Whether `el` already is, through earlier owners, an ancestor of `owner`.
function ownsThrough(el, owner) {
  for (let at = owner; at; at = pass.owners.get(at) ?? flatParent(at)) if (at === el) return true;
  return false;
}

const ownerOf = (el) => ownersOf(ownerDocument(el)).get(el) ?? null;

// Read where its owner is, or, for an image map's area, where the image is.
const isElsewhere = (el) => tagOf(el) === 'AREA' || ownersOf(ownerDocument(el)).has(el);

function ownedBy(el) {
  ownersOf(ownerDocument(el));
  return pass.owned.get(el) ?? NO_NODES;
}

// On screen in the plain sense: a box with an area, and visible. Not about accessibility.
function isRendered(el) {
  const style = styleOf(el);
  if (style.display === 'contents') {
    for (const child of flatChildren(el)) {
      if (nodeType(child) === TEXT ? hasBoxes(child) : isElement(child) && isRendered(child)) return true;
    }
    return false;
  }
  if (style.visibility !== 'visible' || !checkVisibility(el)) return false;
  const box = boxOf(el);
  return box.width > 0 && box.height > 0;
}
