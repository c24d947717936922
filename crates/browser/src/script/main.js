// The commands the test side calls.

// One element that is there, visible or not.
const one = async (steps, deadline, read) =>
  until(deadline, (note) => {
    const elements = queryAll(steps);
    if (elements.length > 1) return strict(elements);
    return elements.length === 0 ? note('no element matches the locator') : { ok: read(elements[0]) };
  });

const commands = {
  point,
  focus,
  fill,
  expect,
  count: ({ steps }) => ({ ok: queryAll(steps).length }),
  isVisible: ({ steps }) => {
    const elements = queryAll(steps);
    return elements.length > 1 ? strict(elements) : { ok: elements.length === 1 && isVisible(elements[0]) };
  },
  text: ({ steps, deadline }) => one(steps, deadline, (element) => element.textContent),
  value: ({ steps, deadline }) => one(steps, deadline, valueOf),
  attribute: ({ steps, name, deadline }) => one(steps, deadline, (element) => element.getAttribute(name)),
  snapshot: ({ steps, options, deadline }) => one(steps, deadline, (element) => aria.snapshot(element, options)),
  url: () => ({ ok: document.URL }),
  title: () => ({ ok: document.title }),
};

globalThis.browserScript = async (name, json) => {
  try {
    return JSON.stringify(await commands[name](JSON.parse(json)));
  } catch (error) {
    if (error instanceof Unsuitable) return JSON.stringify({ unsuitable: error.message });
    throw error;
  }
};
