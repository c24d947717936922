// Runs in the page's own world before any script of the page. What `attachShadow` and `attachInternals` give away can't
// be asked for later, so it is told to the capture script, in its isolated world, when it happens. The two talk by
// events on a private EventTarget (nodes cross worlds as `relatedTarget`, texts as `detail`), which is handed over once
// by an event on `window` whose name, `channel`, the page does not know. All builtins are taken now: the page may
// replace them.
(channel) => {
  const { apply, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const getterOf = (prototype, name) => uncurry(getOwnPropertyDescriptor(prototype, name).get);
  const NodeEvent = FocusEvent;
  const TextEvent = CustomEvent;
  const toJson = JSON.stringify;
  const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
  const listen = uncurry(EventTarget.prototype.addEventListener);
  const unlisten = uncurry(EventTarget.prototype.removeEventListener);
  const stop = uncurry(Event.prototype.stopImmediatePropagation);
  const nodeOf = getterOf(FocusEvent.prototype, 'relatedTarget');
  const modeOf = getterOf(ShadowRoot.prototype, 'mode');
  const mapGet = uncurry(WeakMap.prototype.get);
  const mapSet = uncurry(WeakMap.prototype.set);

  const port = new EventTarget();
  const internalsOf = new WeakMap();
  // Whether a listener took it. Options have no prototype: the page may have put members on Object.prototype.
  const tell = (target, type, node) =>
    !dispatch(target, new NodeEvent(type, { __proto__: null, cancelable: true, relatedTarget: node }));

  // Told before the capture script listened; told again when it does.
  let unheard = { __proto__: null, length: 0 };
  const announce = (type, node) => {
    if (!tell(port, type, node)) unheard[unheard.length++] = { __proto__: null, type, node };
  };
  const handOver = () => {
    if (!tell(window, channel, port)) return;
    unlisten(window, channel, answer, true);
    const late = unheard;
    unheard = { __proto__: null, length: 0 };
    for (let at = 0; at < late.length; at += 1) announce(late[at].type, late[at].node);
  };
  const answer = (event) => {
    if (nodeOf(event) !== null) return;
    stop(event);
    handOver();
  };

  // A proxy keeps name, length and "[native code]".
  const watch = (prototype, name, seen) => {
    const descriptor = getOwnPropertyDescriptor(prototype, name);
    const handler = {
      __proto__: null,
      apply(target, self, parameters) {
        const result = apply(target, self, parameters);
        seen(self, result);
        return result;
      },
    };
    defineProperty(prototype, name, { __proto__: null, ...descriptor, value: new Proxy(descriptor.value, handler) });
  };
  watch(Element.prototype, 'attachShadow', (host, root) => {
    if (modeOf(root) === 'closed') announce('root', root);
  });
  watch(HTMLElement.prototype, 'attachInternals', (host, internals) => {
    mapSet(internalsOf, host, internals);
    announce('internals', host);
    const root = internalsRoot(internals);
    if (root !== null && modeOf(root) === 'closed') announce('root', root);
  });
  const internalsRoot = getterOf(ElementInternals.prototype, 'shadowRoot');

  // Getters of `role`, of what becomes an aria- attribute, and of what becomes a list of elements.
  const values = { __proto__: null, length: 0 };
  const lists = { __proto__: null, length: 0 };
  for (const name of ownKeys(ElementInternals.prototype)) {
    if (typeof name !== 'string' || (name !== 'role' && name !== 'labels' && !name.startsWith('aria'))) continue;
    if (name.endsWith('Element')) continue;
    const key = name.replace(/Elements$/, '').replace(/^aria/, 'aria-').toLowerCase();
    const group = name.endsWith('Elements') || name === 'labels' ? lists : values;
    group[group.length++] = { __proto__: null, key, read: getterOf(ElementInternals.prototype, name) };
  }
  const validityOf = getterOf(ElementInternals.prototype, 'validity');
  const isValid = getterOf(ValidityState.prototype, 'valid');
  const lengthOf = getterOf(NodeList.prototype, 'length');
  const itemOf = uncurry(NodeList.prototype.item);

  // Answers with every node referred to, each in an event named after its list, then the values as JSON.
  const read = (event) => {
    const internals = mapGet(internalsOf, nodeOf(event));
    if (internals === undefined) return;
    const found = { __proto__: null };
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at].read(internals);
      if (value !== null) found[values[at].key] = value;
    }
    for (let at = 0; at < lists.length; at += 1) tellList(lists[at], internals);
    try {
      if (!isValid(validityOf(internals))) found.invalid = true;
    } catch {
      // Not form-associated: nothing to be valid.
    }
    dispatch(port, new TextEvent('values', { __proto__: null, detail: toJson(found) }));
  };
  const tellList = ({ key, read }, internals) => {
    let list;
    try {
      list = read(internals);
    } catch {
      return; // Labels belong to form-associated elements alone.
    }
    if (list === null) return;
    if (key === 'labels') for (let at = 0; at < lengthOf(list); at += 1) tell(port, key, itemOf(list, at));
    else for (let at = 0; at < list.length; at += 1) tell(port, key, list[at]);
  };

  listen(port, 'read', read);
  listen(window, channel, answer, true);
  handOver();
}
