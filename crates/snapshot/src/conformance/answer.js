// Answers the questions of the cases of one page, each with {ok} or {error}.
(questions) => {
  const aria = globalThis.ariaCapture;
  const rootsIn = (root) => [
    root,
    ...[...root.querySelectorAll('*')].flatMap((el) => (aria.shadowRoot(el) ? rootsIn(aria.shadowRoot(el)) : [])),
  ];
  const all = (root, css) => rootsIn(root).flatMap((scope) => [...scope.querySelectorAll(css)]);
  const documentOf = (frame) => (frame === 0 ? document : document.querySelectorAll('iframe, frame')[frame - 1].contentDocument);
  const elementOf = ({ selector, nth, frame }) => {
    const scope = documentOf(frame);
    const found = selector ? all(scope, selector) : [scope.body];
    if (!found[nth]) throw new Error(`${found.length} elements match ${selector}`);
    return found[nth];
  };

  const answers = {
    snapshot: (question) => aria.snapshot(elementOf(question), ''),
    role: (question) => aria.role(elementOf(question)),
    name: (question) => aria.name(elementOf(question)),
    description: (question) => aria.description(elementOf(question)),
  };
  return questions.map((question) => {
    try {
      return { ok: answers[question.ask](question) };
    } catch (error) {
      return { error: String(error) };
    }
  });
}
