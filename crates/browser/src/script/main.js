// The commands the test side calls.

const commands = {
  aim,
  gate,
  disarm,
  verdict,
  endGuard,
  focus,
  blur,
  fill,
  selectText,
  selectOptions,
  scrollIntoViewIfNeeded,
  dispatch,
  aimAtCheck,
  checkedIs,
  fileInput,
  insertText,
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

const run = async (name, json, node) => {
  const asked = JSON.parse(json);
  try {
    // Before the first look at a document: what its source hid in closed roots is to be seen by every command.
    const answer = asked.steps && hasNewHosts() ? { adopt: null } : await commands[name](asked, node);
    return answer.handle ?? (await packed(JSON.stringify(answer)));
  } catch (error) {
    if (error instanceof Unsuitable) return JSON.stringify({ unsuitable: error.message });
    throw error;
  }
};

aria.listen(settings.channel);
globalThis.browserScript = Object.assign(run, { unknownHosts: takeHosts, adopt: adoptRoots });
