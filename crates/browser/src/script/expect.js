// Assertions: look until the check holds, or, negated, until it does not.

const judge = (found, negated, note) => (found.holds !== negated ? { ok: null } : note(found.words));

const expect = ({ steps, check, expected, not, deadline }) =>
  until(deadline, async (note) => {
    const elements = queryAll(steps);
    if (listChecks[check]) return judge(look(() => listChecks[check](elements, expected)), not, note);
    if (elements.length > 1) return strict(elements);
    const [element] = elements;
    if (absentChecks[check]) return judge(look(() => absentChecks[check](element)), not, note);
    if (!element) return note('the element is not there');
    return judge(await look(() => elementChecks[check](element, expected)), not, note);
  });

// One cache for all that a check asks; texts are as they are now.
const look = (work) => {
  texts = new Map();
  return aria.batch(work);
};

const expectPage = ({ check, expected, not, deadline }) =>
  until(deadline, (note) => judge(pageChecks[check](expected), not, note));
