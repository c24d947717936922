// Assertions: look until the check holds, or, negated, until it does not.

const judge = (found, negated, note) => (found.holds !== negated ? { ok: null } : note(found.words));

const expect = ({ steps, check, expected, not, deadline }) =>
  until(deadline, async (note) => {
    const elements = queryAll(steps);
    if (listChecks[check]) return judge(inOneLook(() => listChecks[check](elements, expected)), not, note);
    if (elements.length > 1) return strict(elements);
    const [element] = elements;
    if (absentChecks[check]) return judge(inOneLook(() => absentChecks[check](element)), not, note);
    if (!element) return note('the element is not there');
    return judge(await inOneLook(() => elementChecks[check](element, expected)), not, note);
  });

const expectPage = ({ check, expected, not, deadline }) =>
  until(deadline, (note) => judge(pageChecks[check](expected), not, note));
