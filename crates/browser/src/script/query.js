// From a locator's steps to elements. Each step narrows the elements of the one before it.

const filters = {
  hasText: ({ match }) => {
    const matches = matcher(match);
    return (element) => matches(textOf(element));
  },
  has: ({ steps }) => (element) => elementsOf(steps, [element]).length > 0,
  visible: () => isVisible,
  and: ({ steps }) => {
    const others = new Set(elementsOf(steps, [document]));
    return (element) => others.has(element);
  },
};

const nthOf = (elements, index) => {
  const at = index < 0 ? elements.length + index : index;
  return at in elements ? [elements[at]] : [];
};

const elementsOf = (steps, scopes) =>
  steps.reduce((elements, step) => {
    if (step.by === 'nth') return nthOf(elements, step.index);
    if (step.by === 'or') return inOrder([...elements, ...elementsOf(step.steps, [document])]);
    if (Object.hasOwn(filters, step.by)) {
      const keeps = filters[step.by](step);
      return elements.filter((element) => keeps(element) !== (step.not ?? false));
    }
    const found = elements.flatMap((scope) => finders[step.by](scope, step));
    return elements.length === 1 ? found : inOrder(found);
  }, scopes);

// One look: nothing changes within it, so texts, labels and what `aria` finds out are kept until its end.
let looks = 0;

const inOneLook = (work) => {
  looks++;
  try {
    return aria.batch(work);
  } finally {
    looks--;
    if (looks === 0) {
      texts = new Map();
      labelsByControl = new Map();
    }
  }
};

// The elements that the steps name now, in the order of the page.
const queryAll = (steps) => inOneLook(() => elementsOf(steps, [document]));
