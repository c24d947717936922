// What the script evaluates to. Every entry is one pass; `batch` makes many calls one pass.
return {
  // JSON: {"marked": bool, "rows": [{depth, text} | {depth, role, name, states?, url?, placeholder?, and in full
  // value?, description?, keyshortcuts?}]}.
  // Texts are as the page has them: the reader merges and trims. Options: {"volatileAttribute": name, "full": bool}.
  snapshot: (root, optionsJson) =>
    inPass(() => {
      const options = parseJson(optionsJson || '{}');
      pass.markAttribute = options.volatileAttribute ?? null;
      pass.isFull = options.full === true;
      const captured = { marked: pass.markAttribute !== null, rows: buildRows(root) };
      const json = toJson(captured);
      // Half of a surrogate pair is no character: it would make the text unreadable.
      if (!json.includes('\\ud')) return json;
      return toJson(captured, (key, value) => (typeof value === 'string' ? wellFormed(value) : value));
    }),
  role: (el) => inPass(() => roleOf(el)),
  name: (el, includeHidden = false) => inPass(() => nameOf(el, includeHidden)),
  description: (el) => inPass(() => descriptionOf(el)),
  // On screen: a visible box with an area.
  visible: (el) => inPass(() => isRendered(el)),
  // Not in the accessibility tree.
  hidden: (el) => inPass(() => exposure(el) !== SHOWN),
  states: (el) => inPass(() => statesOf(el)),
  batch: (work) => inPass(work),
  // The shadow root, open or known closed; null without one.
  shadowRoot: (el) => shadowRootOf(el),
  // Arms the channel to page_world.js.
  listen,
  unknownHosts: () => inPass(unknownHosts),
  adopt,
};
