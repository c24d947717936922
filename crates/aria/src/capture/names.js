// Accessible names and descriptions: accname 1.2 with HTML-AAM's native label sources.
// A context says where the text is used:
//   nested      the element is a part of another one's text
//   within      'labelledby' | 'describedby' | 'label' | 'native' | null: the reference being followed
//   root        the element that was referred to
//   revealed    that element is hidden, so everything under it counts (step 2A)
//   seen        elements already used in this name: each counts once, which also stops loops
const NAMED_BY_CONTENT = new Set(
  (
    'button cell checkbox columnheader doc-backlink doc-biblioref doc-glossref doc-noteref gridcell heading link ' +
    'menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem ' +
    'doc-subtitle graphics-object'
  ).split(' '),
);
const CONTENT_WHEN_NESTED = new Set(
  (
    'caption code contentinfo definition deletion directory emphasis generic insertion list listitem mark paragraph ' +
    'region rowgroup strong subscript suggestion superscript table term time'
  ).split(' '),
);
const RANGE_ROLES = new Set(['meter', 'progressbar', 'scrollbar', 'slider', 'spinbutton']);
const LABELED_TAGS = new Set(['BUTTON', 'INPUT', 'METER', 'OUTPUT', 'PROGRESS', 'SELECT', 'TEXTAREA']);
const PLACEHOLDER_TYPES = new Set(['email', 'number', 'password', 'search', 'tel', 'text', 'url']);

// Each NBSP stays inside, all other white space collapses; zero-width space and soft hyphen are no text.
const flat = (text) => collapsed(text).trim();
const collapsed = (text) =>
  text
    .split('\u00A0')
    .map((chunk) => chunk.replace(/[\u200B\u00AD]/g, '').replace(/\s+/g, ' '))
    .join('\u00A0');

// Hidden elements have no name, unless they are looked at as if they were not hidden.
function nameOf(el, includeHidden = false) {
  const role = roleOf(el);
  if (role !== null && NAME_PROHIBITED.has(role)) return '';
  const text = textAlternative(el, {
    nested: false,
    within: null,
    root: null,
    revealed: includeHidden,
    seen: new Set(),
  });
  // Content is laid out, a label is meant as it is: it keeps an NBSP at its ends.
  return text === mark(el, ariaAttr(el, 'aria-label')) ? collapsed(text).replace(/^ +| +$/g, '') : flat(text);
}

function descriptionOf(el) {
  const targets = references(el, 'aria-describedby');
  if (targets.length > 0) return flat(joinReferences(targets, 'describedby', new Set()));
  const described = ariaAttr(el, 'aria-description');
  if (described !== null) return flat(mark(el, described));
  const title = flat(mark(el, attr(el, 'title') ?? ''));
  return title === nameOf(el) ? '' : title;
}

const labelledBy = (el) => references(el, 'aria-labelledby');
const labelledByText = (el, seen) => joinReferences(labelledBy(el), 'labelledby', seen).trim();

// Elements of one list do not hide each other: a list may name an element twice.
function joinReferences(targets, within, seen) {
  if (targets.length === 0) return '';
  const before = [...seen];
  const parts = [];
  for (const root of targets) {
    const revealed = exposure(root) !== SHOWN;
    const own = new Set(before);
    const text = textAlternative(root, { nested: false, within, root, revealed, seen: own });
    for (const el of own) seen.add(el);
    if (within !== 'label' || flat(text) !== '') parts.push(text);
  }
  return parts.join(' ');
}

function textAlternative(el, context) {
  const tag = tagOf(el);
  if (IGNORED_TAGS.has(tag)) return '';
  if (!context.revealed) {
    const shown = exposure(el);
    if (shown === PRUNED || (shown === BARE && !context.nested)) return '';
    if (shown === BARE) return contentText(el, context);
  }
  // Step 2B.
  if (context.within !== 'labelledby' && context.within !== 'describedby') {
    const text = labelledByText(el, context.seen);
    if (text !== '') return text;
  }
  if (context.seen.has(el)) return '';
  context.seen.add(el);
  return ownAlternative(el, tag, context);
}

function ownAlternative(el, tag, context) {
  const role = roleOf(el);
  // Step 2C.
  if ((context.nested || context.within !== null) && !isOwnText(el, context.root)) {
    const value = embeddedValue(el, tag, role, context);
    if (value !== null) return value;
  }
  // Step 2D. A slot is only where others' content goes.
  const label = ariaAttr(el, 'aria-label');
  if (!isBlank(label) && tag !== 'SLOT') return mark(el, label);
  // Step 2E.
  const explicit = explicitRole(el);
  if (!isPresentational(explicit) || role !== null) {
    const native = nativeText(el, tag, context);
    if (native !== null) return native;
  }
  // Step 2F.
  if (tag === 'OPTION' && attr(el, 'label')) return mark(el, attr(el, 'label'));
  if (isNamedByContent(role, explicit, tag, context)) {
    const text = contentText(el, context);
    if (context.nested ? text !== '' : !isBlank(text)) return text;
  }
  // Step 2I.
  const title = attr(el, 'title');
  if (!isBlank(title) && !(role === null && isPresentational(explicit))) return mark(el, title);
  if (role === 'textbox' || role === 'searchbox') return mark(el, ariaAttr(el, 'aria-placeholder') ?? '');
  return '';
}

// Whether the text is being made for `el` itself, so that it is no control inside another one's label.
// A control that names itself by reference gives its aria-label, or else its value.
function isOwnText(el, root) {
  if (root === null) return false;
  if (root === el) return !isBlank(ariaAttr(el, 'aria-label')) && labelledBy(el).includes(el);
  return labelsOf(el).includes(root) || labelledBy(el).includes(root);
}

function isNamedByContent(role, explicit, tag, context) {
  if (role !== null && NAMED_BY_CONTENT.has(role)) return true;
  if ((tag === 'SUMMARY' && !isPresentational(explicit)) || (context.within !== null && !context.nested)) return true;
  if (!context.nested && context.within === null) return false;
  if (role === null || CONTENT_WHEN_NESTED.has(role)) return true;
  // Parts of the text around them, whatever role they have been given by the browser.
  return explicit === null && (tag === 'ADDRESS' || tag === 'DETAILS' || tag === 'SVG');
}

// The current value of a control inside another element's text; null when it is no such control.
function embeddedValue(el, tag, role, context) {
  const isField = tag === 'INPUT' || tag === 'TEXTAREA';
  if (role === 'textbox' || role === 'searchbox') return isField ? fieldValue(el) : contentText(el, context);
  if (role === 'combobox' || role === 'listbox') {
    const chosen = chosenOptions(el, tag, role);
    if (chosen.length > 0)
      return chosen.map((option) => textAlternative(option, { ...context, nested: true })).join(' ');
    if (isField) return fieldValue(el);
    return role === 'combobox' && tag !== 'SELECT' ? contentText(el, context) : '';
  }
  if (role !== null && RANGE_ROLES.has(role)) return rangeValue(el);
  return role === 'menu' ? '' : null;
}

function chosenOptions(el, tag, role) {
  if (tag === 'SELECT') {
    const chosen = [...el.selectedOptions];
    return chosen.length > 0 || el.options.length === 0 ? chosen : [el.options[0]];
  }
  const box = role === 'listbox' ? el : withRole(el, 'listbox')[0];
  if (box === undefined) return [];
  return withRole(box, 'option').filter((option) => ariaIs(option, 'aria-selected', 'true'));
}

// Descendants and owned elements (and theirs) with a role.
function withRole(el, role) {
  const found = [];
  for (const part of [...queryAll(el, '*'), ...ownedBy(el).flatMap((owned) => [owned, ...queryAll(owned, '*')])]) {
    if (roleOf(part) === role) found.push(part);
  }
  return found;
}

// What a field shows: secrets as bullets, as browsers expose them.
function fieldValue(el) {
  const value = el.value;
  return mark(el, isPassword(el) || isMasked(el) ? bullets(value) : value);
}

const textOf = (node, parent) => (isMasked(parent) ? bullets(nodeValue(node)) : nodeValue(node));
const isPassword = (el) => tagOf(el) === 'INPUT' && el.type === 'password';
const isMasked = (el) =>
  styleReach(el).masking && !['none', '', undefined].includes(computedStyle(el).webkitTextSecurity);
const bullets = (text) => text.replace(/[^\n]/g, '\u2022');

// HTML-AAM section 4; null: go on with content and title.
function nativeText(el, tag, context) {
  const labels = context.within === 'labelledby' ? null : labelsText(el, context);
  const title = attr(el, 'title');
  switch (tag) {
    case 'INPUT':
      return inputText(el, labels, title);
    case 'BUTTON':
      return labels;
    case 'OUTPUT':
      return labels ?? (title ? mark(el, title) : null);
    case 'TEXTAREA':
    case 'SELECT':
    case 'METER':
    case 'PROGRESS':
      return labels ?? (fieldHint(el, tag, title) || null);
    case 'OPTGROUP':
      return attr(el, 'label') ? mark(el, attr(el, 'label')) : null;
    case 'FIELDSET':
      return childText(el, 'LEGEND', context);
    case 'FIGURE':
      return childText(el, 'FIGCAPTION', context);
    case 'IMG':
    case 'AREA':
      return isBlank(attr(el, 'alt')) ? null : mark(el, attr(el, 'alt'));
    case 'TABLE':
      return childText(el, 'CAPTION', context) ?? (attr(el, 'summary') ? mark(el, attr(el, 'summary')) : null);
    default:
      return labels ?? (el.ownerSVGElement !== undefined ? svgText(el, tag, context) : null);
  }
}

function inputText(el, labels, title) {
  switch (el.type) {
    case 'button':
    case 'submit':
    case 'reset':
      if (labels || el.value) return labels || mark(el, el.value);
      return el.type === 'button' ? null : el.type === 'submit' ? 'Submit' : 'Reset';
    case 'file':
      return labels || 'Choose File';
    case 'image':
      return labels || mark(el, attr(el, 'alt') || title || 'Submit');
    default:
      return labels ?? (fieldHint(el, 'INPUT', title) || null);
  }
}

function fieldHint(el, tag, title) {
  if (title) return mark(el, title);
  const takesPlaceholder = tag === 'TEXTAREA' || (tag === 'INPUT' && PLACEHOLDER_TYPES.has(el.type));
  return takesPlaceholder ? mark(el, attr(el, 'placeholder') ?? '') : '';
}

// The label elements of a control; a form-associated custom element knows them by its ElementInternals.
const labelsOf = (el) => (LABELED_TAGS.has(tagOf(el)) ? nativeLabels(el) : (internalsOf(el)?.lists.labels ?? NO_NODES));

// `labels` looks through the whole tree for every control: with ten thousand of them that takes a minute. The labels
// are asked for their control instead, once a pass.
function nativeLabels(el) {
  const root = rootNode(el);
  let known = pass.labels.get(root);
  if (known === undefined) {
    known = new Map();
    for (const label of isElement(root) ? queryAll(root, 'label') : allIn(root, 'label')) {
      const control = labelControl(label);
      if (control !== null) known.set(control, [...(known.get(control) ?? NO_NODES), label]);
    }
    pass.labels.set(root, known);
  }
  return known.get(el) ?? NO_NODES;
}

// null without a label; a label without text still names the control (with nothing), as in browsers.
function labelsText(el, context) {
  const labels = labelsOf(el);
  return labels.length === 0 ? null : joinReferences(labels, 'label', context.seen);
}

function childText(el, childTag, context) {
  for (let node = firstChild(el); node; node = nextSibling(node)) {
    if (isElement(node) && tagOf(node) === childTag) {
      return joinReferences([node], 'native', context.seen);
    }
  }
  return null;
}

function svgText(el, tag, context) {
  const title = childText(el, 'TITLE', context);
  if (title !== null) return title;
  const xlink = tag === 'A' ? attr(el, 'xlink:title') : null;
  return isBlank(xlink) ? null : mark(el, xlink);
}

// Steps 2F, 2G and 2H: generated text, children, owned elements, in reading order. Content may be nested deeper than
// the stack: then the parts far below are done first.
function contentText(el, context) {
  const key = `${context.within} ${context.revealed}`;
  const known = pass.deepTexts.get(key)?.get(el);
  if (known !== undefined) return known;
  if (pass.depth === DEEPEST) return deepContentText(el, context, key);
  pass.depth += 1;
  const text = ownContentText(el, context);
  pass.depth -= 1;
  return text;
}

const DEEPEST = 200;

function deepContentText(el, context, key) {
  if (!pass.deepTexts.has(key)) pass.deepTexts.set(key, new Map());
  const levels = [];
  const pending = [[el, 0]];
  while (pending.length > 0) {
    const [at, depth] = pending.pop();
    if (depth % (DEEPEST / 2) === 0) levels.push(at);
    for (const child of flatChildren(at)) if (isElement(child)) pending.push([child, depth + 1]);
  }
  const before = pass.depth;
  for (let at = levels.length - 1; at >= 0; at -= 1) {
    pass.depth = 0;
    pass.deepTexts.get(key).set(levels[at], ownContentText(levels[at], context));
  }
  pass.depth = before;
  return pass.deepTexts.get(key).get(el);
}

function ownContentText(el, context) {
  const inside = { ...context, nested: true };
  const shown = context.revealed || exposure(el) === SHOWN;
  let text = shown ? pseudoText(el, '::before') : '';
  const alternative = shown ? elementContentAlternative(el) : null;
  if (alternative !== null) {
    text += mark(el, alternative);
  } else {
    for (const child of flatChildren(el)) {
      const type = nodeType(child);
      if (type === TEXT) {
        if (isTextShown(child, el, context.revealed)) text += mark(el, textOf(child, el));
      } else if (type === ELEMENT && !isElsewhere(child)) {
        text += spaced(child, textAlternative(child, inside));
      }
    }
    for (const owned of ownedBy(el)) text += ' ' + textAlternative(owned, inside) + ' ';
  }
  return shown ? text + pseudoText(el, '::after') : text;
}

// Anything but inline text is a word of its own.
const spaced = (el, text) => (displayOf(el) !== 'inline' || tagOf(el) === 'BR' ? ' ' + text + ' ' : text);
