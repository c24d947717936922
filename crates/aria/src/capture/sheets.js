// What style rules can do to this document's elements. To ask every element for ::before, ::after and seldom properties
// costs more than all the rest of a snapshot, so a look at the rules says first which elements could have them.
const PSEUDO = /::?(?:before|after)\b/g;
const MOST_RULES = 5000;

// {generating: Set of the elements that may have ::before or ::after, null for any, and whether any rule sets
// `content` on elements, `content-visibility`, `interactivity`, `-webkit-text-security`}.
function styleReach(el) {
  const page = pageOf(el);
  if (page.reach === null) {
    const reach = {
      generating: new Set(),
      content: false,
      skipping: false,
      interactivity: false,
      masking: false,
      rules: 0,
    };
    if (page.scopes.every((scope) => readScope(scope, reach))) page.reach = reach;
    else page.reach = { generating: null, content: true, skipping: true, interactivity: true, masking: true };
  }
  return page.reach;
}

// False when the rules can't all be known: sheets of other origins, too many rules.
function readScope(scope, reach) {
  const selectors = ['q'];
  try {
    for (const sheet of [...scope.styleSheets, ...scope.adoptedStyleSheets]) {
      if (!readRules(sheet.cssRules, selectors, reach, false)) return false;
    }
    for (const el of allIn(scope, selectors.join())) reach.generating.add(el);
  } catch {
    return false;
  }
  if (allIn(scope, '[hidden=until-found i]').length > 0) reach.skipping = true;
  for (const el of allIn(scope, '[style*="content" i], [style*="interactivity" i], [style*="security" i]'))
    note(el.style, reach);
  return true;
}

function note(style, reach) {
  if (style.content !== '') reach.content = true;
  if (style.contentVisibility !== '') reach.skipping = true;
  if (style.interactivity) reach.interactivity = true;
  if (style.webkitTextSecurity) reach.masking = true;
}

function readRules(rules, selectors, reach, isNested) {
  reach.rules += rules.length;
  if (reach.rules > MOST_RULES) return false;
  for (const rule of rules) {
    if (rule.styleSheet && !readRules(rule.styleSheet.cssRules, selectors, reach, isNested)) return false;
    const isStyle = rule.selectorText !== undefined;
    if (rule.style && !isFrame(rule)) {
      const isGenerating = isStyle && rule.selectorText.search(PSEUDO) >= 0;
      // Declarations of their own in a nested rule: of an element, or of its ::before?
      if (!isStyle && isNested && rule.style.content !== '') return false;
      if (!isGenerating) note(rule.style, reach);
      else if (rule.style.content !== '') {
        // Relative to other rules or hosts: not to be asked of elements.
        if (isNested || /[&]|:host|::slotted|::part/.test(rule.selectorText)) return false;
        selectors.push(rule.selectorText.replace(PSEUDO, ':is(*)'));
      }
    }
    if (rule.cssRules?.length > 0 && !readRules(rule.cssRules, selectors, reach, isNested || isStyle || isScope(rule)))
      return false;
  }
  return true;
}

const isFrame = (rule) => rule.keyText !== undefined;
const isScope = (rule) => rule.start !== undefined && rule.end !== undefined;
