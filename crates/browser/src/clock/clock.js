// The page's clock, replaced in the page's own world before any script of the page. Until it is told a state, everything
// is as the browser has it. Replaced functions are proxies of the browser's own: they print as native code, and keep
// their names and properties.
(key) => {
  const at = Symbol.for(key);
  if (globalThis[at]) return;

  const native = {
    Date,
    now: Date.now,
    performanceNow: performance.now.bind(performance),
    setTimeout: setTimeout.bind(globalThis),
    clearTimeout: clearTimeout.bind(globalThis),
    requestAnimationFrame: requestAnimationFrame.bind(globalThis),
    cancelAnimationFrame: cancelAnimationFrame.bind(globalThis),
    MessageChannel,
    Promise,
    Map,
  };
  const origin = performance.timeOrigin;
  const realTime = () => origin + native.performanceNow();

  // `mono` is the time timers go by, in milliseconds; dates are `mono + shift`, or `fixed`.
  let state = { installed: false, running: true, mono: 0, real: 0, shift: 0, fixed: null };
  // What `performance.now` was when the clock was installed, and the time then.
  let base = null;
  const mono = () => {
    if (!state.installed) return realTime();
    return state.running ? state.mono + (realTime() - state.real) : state.mono;
  };
  const isFaking = () => state.installed || state.fixed !== null || state.shift !== 0;
  const date = () => (isFaking() ? (state.fixed ?? Math.floor(mono() + state.shift)) : native.now());
  const performanceNow = () => (base === null ? native.performanceNow() : base.performance + (mono() - base.mono));

  // Timers, by id. The browser's ids are small, so the two kinds can be told apart.
  const timers = new native.Map();
  let lastId = 2 ** 30;
  // HTML, "timer initialization steps": timers started by timers, more than five deep, wait 4 ms or more.
  let nesting = 0;
  const FRAME = 1000 / 60;

  const add = (timer) => {
    timer.id = ++lastId;
    timers.set(timer.id, timer);
    if (state.running) arm();
    return timer.id;
  };

  const addTimer = (callback, delay, args, repeat) => {
    // As Web IDL converts to `long`.
    const wanted = Math.max(0, Number(delay) | 0);
    const period = Math.max(wanted, nesting > 5 ? 4 : repeat ? 1 : 0);
    return add({ callback, args, due: mono() + period, period: repeat ? period : null, nesting: nesting + 1 });
  };

  const call = (timer) => {
    const outer = nesting;
    nesting = timer.nesting ?? 0;
    try {
      if (typeof timer.callback === 'function') {
        Reflect.apply(timer.callback, globalThis, timer.args());
      } else {
        (0, eval)(String(timer.callback));
      }
    } catch (error) {
      reportError(error);
    } finally {
      nesting = outer;
    }
  };

  const fire = (timer) => {
    if (timer.period === null) {
      timers.delete(timer.id);
    } else {
      timer.due += timer.period;
      timer.nesting += 1;
    }
    call(timer);
  };

  const next = (until, accepts = () => true) => {
    let first = null;
    for (const timer of timers.values()) {
      if (timer.due <= until && accepts(timer) && (first === null || timer.due < first.due)) first = timer;
    }
    return first;
  };

  // One task of the page's event loop: promises that timers resolved have been dealt with after it.
  const channel = new native.MessageChannel();
  const waiting = [];
  channel.port1.onmessage = () => waiting.shift()();
  const turn = () =>
    new native.Promise((resolve) => {
      waiting.push(resolve);
      channel.port2.postMessage(null);
    });

  // While the clock runs, the browser's timers drive ours.
  let armedTimer = null;
  let armedFrame = null;
  const isFrame = (timer) => timer.frame === true;
  const disarm = () => {
    native.clearTimeout(armedTimer);
    native.cancelAnimationFrame(armedFrame);
    armedTimer = armedFrame = null;
  };
  const arm = () => {
    disarm();
    const timer = next(Infinity, (timer) => !isFrame(timer));
    if (timer) armedTimer = native.setTimeout(tick, Math.max(0, timer.due - mono()));
    if ([...timers.values()].some(isFrame)) armedFrame = native.requestAnimationFrame(drawFrame);
  };
  const tick = async () => {
    armedTimer = null;
    const until = mono();
    for (;;) {
      const timer = state.running ? next(until, (timer) => !isFrame(timer)) : null;
      if (timer === null) break;
      fire(timer);
      await turn();
    }
    if (state.running) arm();
  };
  const drawFrame = () => {
    armedFrame = null;
    for (const timer of [...timers.values()].filter(isFrame)) {
      if (timers.has(timer.id)) fire(timer);
    }
    if (state.running) arm();
  };

  const set = (wanted) => {
    if (wanted.installed && base === null) {
      base = { performance: native.performanceNow(), mono: wanted.mono + (wanted.running ? realTime() - wanted.real : 0) };
    }
    state = wanted;
    disarm();
    if (state.installed && state.running) arm();
  };

  // Goes on to `to`, each timer at its time, or, to skip time, all that are due once at the end of it. Gives the time
  // reached: less than asked for when the deadline was over before.
  const advance = async ({ to, skip, deadline }) => {
    const end = realTime() + deadline;
    set({ ...state, mono: Math.min(mono(), to), running: false });
    if (skip) {
      for (const timer of timers.values()) if (timer.due < to) timer.due = to;
    }
    await turn();
    for (let timer = next(to); timer !== null; timer = next(to)) {
      if (realTime() > end) return state.mono;
      state.mono = Math.max(state.mono, timer.due);
      fire(timer);
      await turn();
    }
    state.mono = to;
    return to;
  };

  const replace = (object, name, apply) => {
    const descriptor = Object.getOwnPropertyDescriptor(object, name);
    if (descriptor === undefined) return;
    const field = descriptor.get ? 'get' : 'value';
    Object.defineProperty(object, name, { ...descriptor, [field]: new Proxy(descriptor[field], { apply }) });
  };

  const clear = (original, self, args) => {
    if (!timers.delete(Number(args[0]))) Reflect.apply(original, self, args);
  };
  const timer = (repeat) => (original, self, args) => {
    if (!state.installed || args.length === 0) return Reflect.apply(original, self, args);
    const [callback, delay, ...rest] = args;
    return addTimer(callback, delay, () => rest, repeat);
  };
  replace(globalThis, 'setTimeout', timer(false));
  replace(globalThis, 'setInterval', timer(true));
  replace(globalThis, 'clearTimeout', clear);
  replace(globalThis, 'clearInterval', clear);
  replace(globalThis, 'requestAnimationFrame', (original, self, args) => {
    if (!state.installed || typeof args[0] !== 'function') return Reflect.apply(original, self, args);
    // Frames come at the same moments for all that ask.
    // Within rounding: a frame asked for in a frame is the next one.
    const due = base.mono + (Math.floor((mono() - base.mono) / FRAME + 0.01) + 1) * FRAME;
    return add({ callback: args[0], args: () => [performanceNow()], due, period: null, frame: true });
  });
  replace(globalThis, 'cancelAnimationFrame', clear);
  replace(globalThis, 'requestIdleCallback', (original, self, args) => {
    if (!state.installed || typeof args[0] !== 'function') return Reflect.apply(original, self, args);
    const idle = { didTimeout: false, timeRemaining: () => 50 };
    return add({ callback: args[0], args: () => [idle], due: mono() + 1, period: null });
  });
  replace(globalThis, 'cancelIdleCallback', clear);
  replace(Performance.prototype, 'now', (original, self, args) =>
    base === null ? Reflect.apply(original, self, args) : performanceNow(),
  );

  replace(native.Date, 'now', () => date());
  const PageDate = new Proxy(native.Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [date()] : args, newTarget === PageDate ? target : newTarget),
    apply: () => new native.Date(date()).toString(),
  });
  native.Date.prototype.constructor = PageDate;
  Object.defineProperty(globalThis, 'Date', { ...Object.getOwnPropertyDescriptor(globalThis, 'Date'), value: PageDate });

  const formats = new WeakMap();
  replace(Intl.DateTimeFormat.prototype, 'format', (original, self) => {
    const format = Reflect.apply(original, self, []);
    if (!formats.has(format)) {
      const apply = (target, that, [when = date()]) => target(when);
      formats.set(format, new Proxy(format, { apply }));
    }
    return formats.get(format);
  });
  replace(Intl.DateTimeFormat.prototype, 'formatToParts', (original, self, [when = date()]) =>
    Reflect.apply(original, self, [when]),
  );
  if (globalThis.Temporal?.Now) {
    const { Now, Instant } = Temporal;
    const zoneHere = Now.timeZoneId.bind(Now);
    const instant = () => Instant.fromEpochMilliseconds(date());
    const zoned = (zone) => instant().toZonedDateTimeISO(zone ?? zoneHere());
    replace(Now, 'instant', () => instant());
    replace(Now, 'zonedDateTimeISO', (original, self, [zone]) => zoned(zone));
    replace(Now, 'plainDateTimeISO', (original, self, [zone]) => zoned(zone).toPlainDateTime());
    replace(Now, 'plainDateISO', (original, self, [zone]) => zoned(zone).toPlainDate());
    replace(Now, 'plainTimeISO', (original, self, [zone]) => zoned(zone).toPlainTime());
  }

  Object.defineProperty(globalThis, at, { value: { set, advance } });
}
