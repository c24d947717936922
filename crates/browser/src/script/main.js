// The commands the test side calls.

const commands = {
  point,
  focus,
  fill,
  expect,
  expectPage,
  contentFrame,
  snapshotUnlike,
  node: ({ steps, deadline }) => oneHandle(steps, deadline, (element) => element),
  count: ({ steps }) => ({ ok: queryAll(steps).length }),
  state: stateNow,
  read: ({ steps, what, deadline }) => one(steps, deadline, readers[what]),
  readAll: ({ steps, what }) => ({ ok: queryAll(steps).map(readAll[what]) }),
  attribute: ({ steps, name, deadline }) => one(steps, deadline, (element) => attrOf(element, name)),
  snapshot: ({ steps, options, deadline }) => one(steps, deadline, (element) => aria.snapshot(element, options)),
  url: () => ({ ok: urlOf(document) }),
  title: () => ({ ok: titleOf(document) }),
  frameName: () => ({ ok: window.name }),
  content: () => ({ ok: sourceOf() }),
};

globalThis.browserScript = async (name, json) => {
  try {
    const answer = await commands[name](JSON.parse(json));
    return answer.handle ?? (await packed(JSON.stringify(answer)));
  } catch (error) {
    if (error instanceof Unsuitable) return JSON.stringify({ unsuitable: error.message });
    throw error;
  }
};
