// Role and name of every element that a CSS selector matches, also in shadow trees.
(css) => {
  const aria = globalThis.ariaCapture;
  const rootOf = (el) => aria.shadowRoot?.(el) ?? el.shadowRoot;
  const found = [];
  const look = (root) => {
    found.push(...root.querySelectorAll(css));
    for (const el of root.querySelectorAll('*')) if (rootOf(el)) look(rootOf(el));
  };
  try {
    look(document);
  } catch (error) {
    if (error.name === 'SyntaxError') return { wrong: css };
    throw error;
  }
  const describe = (el) => ({ role: aria.role(el), name: aria.name(el), hidden: aria.hidden(el) });
  return { found: aria.batch(() => found.map(describe)) };
}
