// From a locator's steps to elements. Each step narrows the elements of the one before it; open
// shadow roots are looked through.

const textMatches = (match, text) => {
  if (match === null) return true;
  const squeezed = squeeze(text);
  return match.exact ? squeezed === squeeze(match.text) : squeezed.toLowerCase().includes(squeeze(match.text).toLowerCase());
};

// The scope and every open shadow root under it.
const rootsIn = (scope) => {
  const roots = [scope];
  for (let i = 0; i < roots.length; i++) {
    if (roots[i].shadowRoot) roots.push(roots[i].shadowRoot);
    for (const element of roots[i].querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
  return roots;
};

const select = (scope, css) => rootsIn(scope).flatMap((root) => [...root.querySelectorAll(css)]);

const NEVER_TEXT = 'script, style, noscript, template, head, head *';
const LABELLED =
  'input, textarea, select, button, output, meter, progress, [aria-label], [aria-labelledby], [contenteditable]';

const labelsOf = (element) => {
  const labels = [...(element.labels ?? [])].map((label) => label.textContent);
  const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter((id) => id !== '');
  for (const id of ids) {
    const label = element.getRootNode().getElementById?.(id);
    if (label) labels.push(label.textContent);
  }
  if (element.hasAttribute('aria-label')) labels.push(element.getAttribute('aria-label'));
  return labels;
};

const finders = {
  css: (scope, step) => select(scope, step.css),
  // By what assistive technology sees: elements hidden from it have no role.
  role: (scope, step) =>
    aria.batch(() =>
      select(scope, '*').filter(
        (element) =>
          aria.role(element) === step.role && !aria.hidden(element) && textMatches(step.name, aria.name(element)),
      ),
    ),
  // The innermost elements that hold the text.
  text: (scope, step) => {
    const holders = select(scope, '*').filter(
      (element) => !element.matches(NEVER_TEXT) && textMatches(step.match, element.textContent),
    );
    const outer = new Set(holders.map((element) => element.parentElement));
    return holders.filter((element) => !outer.has(element));
  },
  label: (scope, step) =>
    select(scope, LABELLED).filter((element) => labelsOf(element).some((label) => textMatches(step.match, label))),
  testId: (scope, step) => select(scope, '[data-testid]').filter((el) => el.getAttribute('data-testid') === step.id),
};

const inOrder = (elements) =>
  [...new Set(elements)].sort((a, b) => {
    const position = a.compareDocumentPosition(b);
    return position & Node.DOCUMENT_POSITION_DISCONNECTED ? 0 : position & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  });

// A bad selector is the test's mistake: it is told, not waited on.
class Unsuitable extends Error {}

const queryAll = (steps) => {
  let elements = [document];
  for (const step of steps) {
    if (step.by === 'nth') {
      const index = step.index < 0 ? elements.length + step.index : step.index;
      elements = index in elements ? [elements[index]] : [];
    } else if (step.by === 'hasText') {
      elements = elements.filter((element) => textMatches(step.match, element.textContent));
    } else {
      try {
        const found = elements.flatMap((scope) => finders[step.by](scope, step));
        elements = elements.length === 1 && step.by !== 'css' ? found : inOrder(found);
      } catch (error) {
        if (step.by === 'css' && error.name === 'SyntaxError') {
          throw new Unsuitable(`${JSON.stringify(step.css)} is not a CSS selector; correct it`);
        }
        throw error;
      }
    }
  }
  return elements;
};
