// Every element of the document in tree order, an element's shadow tree before its children, with what the capture
// script says of it. The order is that of the DevTools tree, so the two are matched by position.
() => {
  const aria = globalThis.ariaCapture;

  // Short, and the same from run to run: from the nearest id, else from the root, by position among its like.
  const place = (el) => {
    if (el.id) return `#${el.id}`;
    const tag = el.localName;
    const parent = el.parentNode;
    const like = parent ? [...parent.children].filter((child) => child.localName === tag) : [el];
    const own = like.length > 1 ? `${tag}(${like.indexOf(el) + 1})` : tag;
    if (parent instanceof ShadowRoot) return `${place(parent.host)} / ${own}`;
    return parent instanceof Element && parent.localName !== 'body' ? `${place(parent)} > ${own}` : own;
  };

  const found = [];
  const walk = (parent) => {
    for (const el of parent.children) {
      const shadow = aria.shadowRoot(el);
      const role = aria.role(el);
      const entry = { tag: el.localName, place: place(el), shadow: Boolean(shadow), role, name: aria.name(el), hidden: aria.hidden(el) };
      found.push(entry);
      if (shadow) walk(shadow);
      walk(el);
    }
  };
  aria.batch(() => walk(document));
  return found;
}
