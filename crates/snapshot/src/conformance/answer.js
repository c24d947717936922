// Answers the questions of the cases of one page, each with {ok} or {error}.
(questions) => {
  const aria = globalThis.ariaCapture;
  const rootsIn = (root) => [
    root,
    ...[...root.querySelectorAll('*')].flatMap((el) => (el.shadowRoot ? rootsIn(el.shadowRoot) : [])),
  ];
  const all = (root, css) => rootsIn(root).flatMap((scope) => [...scope.querySelectorAll(css)]);
  const documentOf = (frame) => (frame === 0 ? document : document.querySelectorAll('iframe, frame')[frame - 1].contentDocument);
  const elementOf = ({ selector, nth, frame }) => {
    const scope = documentOf(frame);
    const found = selector ? all(scope, selector) : [scope.body];
    if (!found[nth]) throw new Error(`${found.length} elements match ${selector}`);
    return found[nth];
  };

  const squeeze = (text) => text.replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();
  const nameHolds = (test, el) => {
    if (test === null) return true;
    let name = squeeze(aria.name(el));
    if (test.regex !== undefined) return new RegExp(test.regex, test.flags).test(name);
    let wanted = squeeze(test.text);
    if (test.insensitive) [name, wanted] = [name.toLowerCase(), wanted.toLowerCase()];
    return test.part ? name.includes(wanted) : name === wanted;
  };
  // A state that is not there is false, but for `expanded`: what can't expand is not collapsed.
  const stateHolds = (states, name, value) =>
    value === false && name !== 'expanded' ? !states[name] : states[name] === value;
  const roleQuery = ({ role, states, hidden, name }) =>
    all(document, '*').filter(
      (el) =>
        aria.role(el) === role &&
        (hidden || !aria.hidden(el)) &&
        Object.entries(states).every(([state, value]) => stateHolds(aria.states(el), state, value)) &&
        nameHolds(name, el),
    );

  const answers = {
    snapshot: (question) => aria.snapshot(elementOf(question), ''),
    role: (question) => aria.role(elementOf(question)),
    name: (question) => aria.name(elementOf(question)),
    description: (question) => aria.description(elementOf(question)),
    'role-query': ({ query, selector }) =>
      (query ? aria.batch(() => roleQuery(query)) : all(document, selector)).map((el) => el.outerHTML),
  };
  return questions.map((question) => {
    try {
      return { ok: answers[question.ask](question) };
    } catch (error) {
      return { error: String(error) };
    }
  });
}
