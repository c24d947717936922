// Waiting inside the page: look, and look again after each change.

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const timer = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// What changes states without a mutation.
const TELLING = ['input', 'change', 'focusin', 'focusout', 'transitionend', 'animationend', 'scrollend', 'toggle', 'load'];

// The next change of the document, but not longer than `ms`: styles and layout change without
// anything being seen here.
const change = (ms) =>
  new Promise((resolve) => {
    const done = () => {
      observer.disconnect();
      clearTimeout(timeout);
      for (const type of TELLING) removeEventListener(type, done, true);
      resolve();
    };
    const observer = new MutationObserver(done);
    const timeout = setTimeout(done, ms);
    for (const type of TELLING) addEventListener(type, done, true);
    for (const root of [document, ...watchedRoots.slice(1)]) {
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
  });

const LOOK_AGAIN = 100;
const HOSTS_ROUND = 3;

// Calls `attempt(note)` until it gives something. `note` adds to the log what is in the way; only
// changes are kept.
const until = async (deadline, attempt) => {
  const end = performance.now() + deadline;
  const log = [];
  const note = (line) => {
    if (log[log.length - 1] !== line) log.push(line);
    return null;
  };
  for (let round = 0; ; round++) {
    const result = await attempt(note);
    if (result !== null) return result;
    // What is missing may be in a closed root that came later.
    if (round === HOSTS_ROUND && hasNewHosts(true)) return { adopt: null };
    const left = end - performance.now();
    if (left <= 0) return { timeout: log };
    await change(Math.min(LOOK_AGAIN, left));
    // Many changes within a frame are one look. A hidden page draws no frames.
    await Promise.race([frame(), timer(LOOK_AGAIN)]);
  }
};
