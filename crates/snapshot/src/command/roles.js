// Role and name of every element that a CSS selector matches, in tree order, also in shadow trees.
(css) => {
  const aria = globalThis.ariaCapture;
  const found = [];
  const look = (parent) => {
    for (const el of parent.children) {
      if (el.matches(css)) found.push({ role: aria.role(el), name: aria.name(el), hidden: aria.hidden(el) });
      const shadow = aria.shadowRoot(el);
      if (shadow) look(shadow);
      look(el);
    }
  };
  try {
    document.createDocumentFragment().querySelector(css);
  } catch {
    return { wrong: css };
  }
  aria.batch(() => look(document));
  return { found };
}
