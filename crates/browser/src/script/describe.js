// How elements and texts are shown to people.

const squeeze = (text) => text.replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();

const shorten = (text, length) => (text.length > length ? text.slice(0, length - 1) + '…' : text);

// `<button id="send" class="big">Send</button>` with what assistive technology calls it.
const describe = (element) => {
  const tag = element.localName;
  const shown = ['id', 'class', 'type', 'name', 'data-testid', 'aria-label', 'href'];
  const attributes = shown
    .filter((name) => element.hasAttribute(name))
    .map((name) => ` ${name}="${shorten(element.getAttribute(name), 40)}"`);
  const text = shorten(squeeze(element.textContent), 40);
  const role = aria.role(element);
  const name = role === null ? '' : shorten(aria.name(element), 40);
  const known = role === null ? '' : ` (${role}${name === '' ? '' : ` "${name}"`})`;
  return `<${tag}${attributes.join('')}>${text}</${tag}>${known}`;
};
