// How elements and texts are shown to people.

const squeeze = (text) => text.replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();

const shorten = (text, length) => (text.length > length ? text.slice(0, length - 1) + '…' : text);

const SHOWN_ATTRIBUTES = ['id', 'class', 'type', 'name', 'data-testid', 'aria-label', 'href'];

// `<button id="send" class="big">Send</button>` with what assistive technology calls it.
const describe = (element) => {
  const tag = localNameOf(element);
  const attributes = SHOWN_ATTRIBUTES.filter((name) => hasAttrOf(element, name)).map(
    (name) => ` ${name}="${shorten(attrOf(element, name), 40)}"`,
  );
  const text = shorten(squeeze(textContentOf(element)), 40);
  const role = aria.role(element);
  const name = role === null ? '' : shorten(aria.name(element), 40);
  const known = role === null ? '' : ` (${role}${name === '' ? '' : ` "${name}"`})`;
  return `<${tag}${attributes.join('')}>${text}</${tag}>${known}`;
};
