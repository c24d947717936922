// Actions that are done within the page.

const EDITED = { visible: true, enabled: true, control: true };

const tell = (element, type) => element.dispatchEvent(new Event(type, { bubbles: true, composed: type === 'input' }));

const setValue = (element, text) => {
  element.value = text;
  if (element.value !== text) {
    throw new Unsuitable(`${describe(element)} does not accept ${quoted(text)}; give it in the form of its type`);
  }
  tell(element, 'input');
  tell(element, 'change');
};

// Replaces the content as an edit of the user: the page gets trusted input events, one a line.
const fill = ({ steps, text, deadline }) =>
  ready(steps, deadline, EDITED, (element, note) => {
    const kind = fillKind(element);
    if (kind === null) {
      throw new Unsuitable(`${describe(element)} takes no text; fill an <input>, a <textarea> or an editable element`);
    }
    if (element.readOnly) return note(`${describe(element)} is read-only`);
    element.focus();
    if (kind === 'value') {
      setValue(element, text);
      return { ok: null };
    }
    selectAll(element);
    document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
    if (element.type === 'number' && element.value === '' && text !== '') {
      throw new Unsuitable(`${describe(element)} does not accept ${quoted(text)}; give a number`);
    }
    return { ok: null };
  });

const selectAll = (element) => {
  if (fillKind(element) === 'text') element.select();
  else getSelection().selectAllChildren(element);
};

const selectText = ({ steps, deadline }) =>
  ready(steps, deadline, { visible: true }, (element) => {
    if (fillKind(element) !== null) element.focus();
    selectAll(element);
    return { ok: null };
  });

const blur = ({ steps, deadline }) =>
  ready(steps, deadline, {}, (element) => {
    element.blur();
    return { ok: null };
  });

const scrollIntoViewIfNeeded = ({ steps, deadline }) =>
  ready(steps, deadline, { visible: true, stable: true }, (element, note) => {
    if (pointsOf(element).length === 0) scrollTo(element, 'center');
    return pointsOf(element).length === 0 ? note(`${describe(element)} can't be scrolled into view`) : { ok: null };
  });

const EVENT_CLASSES = [
  [/^(click|dblclick|auxclick|contextmenu|mouse.*)$/, MouseEvent],
  [/^pointer.*|.*pointercapture$/, PointerEvent],
  [/^key.*$/, KeyboardEvent],
  [/^drag.*|drop$/, DragEvent],
  [/^(focus|blur).*$/, FocusEvent],
  [/^(before)?input$/, InputEvent],
  [/^wheel$/, WheelEvent],
  [/^touch.*$/, globalThis.TouchEvent ?? UIEvent],
];

const dispatch = ({ steps, type, init, deadline }) =>
  ready(steps, deadline, {}, (element) => {
    const [, Class] = EVENT_CLASSES.find(([pattern]) => pattern.test(type)) ?? [null, Event];
    const own = Class === DragEvent && !init.dataTransfer ? { dataTransfer: new DataTransfer() } : {};
    const event = new Class(type, { bubbles: true, cancelable: true, composed: true, ...own, ...init });
    // Classes keep only what they know.
    if (Class === Event && 'detail' in init) {
      element.dispatchEvent(new CustomEvent(type, { bubbles: true, cancelable: true, composed: true, ...init }));
    } else {
      element.dispatchEvent(event);
    }
    return { ok: null };
  });

const optionIs = (option, { value, label, index }) => {
  if (value !== undefined) return option.value === value;
  return label !== undefined ? squeeze(option.label) === squeeze(label) : option.index === index;
};

const shownChoice = ({ value, label, index }) =>
  value !== undefined ? `of value ${quoted(value)}` : label !== undefined ? quoted(label) : `at index ${index}`;

const selectOptions = ({ steps, choices, deadline }) =>
  ready(steps, deadline, EDITED, (element, note) => {
    if (localNameOf(element) !== 'select') {
      throw new Unsuitable(`${describe(element)} is no <select>; click what shows its options`);
    }
    if (choices.length > 1 && !element.multiple) {
      throw new Unsuitable(`${describe(element)} takes one option; choose one, or set its attribute multiple`);
    }
    const options = [...element.options];
    const chosen = new Set();
    for (const choice of choices) {
      const option = options.find((at) => optionIs(at, choice));
      if (option === undefined) {
        const there = options.slice(0, 20).map((at) => quoted(squeeze(at.label)));
        return note(`${describe(element)} has no option ${shownChoice(choice)}; it has [${there.join(', ')}]`);
      }
      if (matchesCss(option, ':disabled')) return note(`the option ${quoted(squeeze(option.label))} is disabled`);
      chosen.add(option);
    }
    element.focus();
    if (!element.multiple && chosen.size === 0) element.selectedIndex = -1;
    for (const option of options) if (element.multiple || chosen.has(option)) option.selected = chosen.has(option);
    tell(element, 'input');
    tell(element, 'change');
    return { ok: [...element.selectedOptions].map((option) => option.value) };
  });

const checkable = (element) => {
  const control = controlOf(element);
  const { checked } = aria.states(control);
  if (checked === undefined) {
    throw new Unsuitable(`${describe(control)} can't be checked; name a checkbox, radio or switch`);
  }
  return { control, checked };
};

// What shows a control on screen: itself, or a label.
const drawnBy = (element) => {
  const control = controlOf(element);
  return [element, control, ...(control.labels ?? [])].find(isShown);
};

// Where to click so that the element gets checked, or not; null when it is already.
const aimAtCheck = ({ steps, checked: wanted, offset, force, trial, deadline }) =>
  ready(steps, deadline, force ? {} : { enabled: true }, async (element, note) => {
    const { control, checked } = checkable(element);
    if (checked === wanted) return { ok: null };
    if (!wanted && aria.role(control) === 'radio') {
      throw new Unsuitable(`${describe(control)} can't be unchecked; check another of its group`);
    }
    const shown = drawnBy(element);
    if (shown === undefined) return note(`${describe(control)} is hidden, and so are its labels`);
    const unstable = force ? null : await isStable(shown);
    if (unstable !== null) return note(unstable);
    const { point, obstacle } = pointFor(shown, offset, (hit) => force || isHitOf(hit, shown));
    if (obstacle) return note(obstacle);
    if (force || trial) return { ok: { ...point, was: checked } };
    const again = () => {
      const now = onlyOne(steps);
      return (now && drawnBy(now)) ?? null;
    };
    const token = arm(deadline, { kind: 'press', target: shown, again, point, clicks: 1, button: 0 });
    return { ok: { ...point, was: checked, token } };
  });

// Waits until the state is as wanted.
const checkedIs = ({ steps, checked: wanted, deadline }) =>
  ready(steps, deadline, {}, (element, note) => {
    const { control, checked } = checkable(element);
    if (checked === wanted) return { ok: null };
    return note(`${describe(control)} was clicked and is ${CHECKED_WORDS.get(checked)}`);
  });

// The input for files itself, for the command that fills it.
const fileInput = ({ steps, count, deadline }) =>
  ready(steps, deadline, { enabled: true, control: true }, (element) => {
    if (localNameOf(element) !== 'input' || element.type !== 'file') {
      throw new Unsuitable(`${describe(element)} takes no files; name an <input type=file>`);
    }
    if (count > 1 && !element.multiple) {
      throw new Unsuitable(`${describe(element)} takes one file; give one, or set its attribute multiple`);
    }
    return { handle: [element] };
  });

// An edit at the caret, in one piece.
const insertText = ({ text }) => {
  if (deepActive() instanceof HTMLIFrameElement) return { ok: false };
  document.execCommand('insertText', false, text);
  return { ok: true };
};
