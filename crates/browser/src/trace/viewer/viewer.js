// Shows the trace that is in the page. Texts of the tested page only ever become text nodes.
'use strict';
{
  const trace = JSON.parse(document.getElementById('trace').textContent);
  const at = (id) => document.getElementById(id);

  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children.filter((child) => child !== null));
    return made;
  };

  const since = (moment) => `${((moment - trace.started) / 1000).toFixed(3)} s`;
  const took = (entry) => (entry.until == null ? '' : `${Math.max(0, Math.round(entry.until - entry.at))} ms`);

  const isBad = (entry) => {
    if (entry.kind === 'action') return entry.error != null;
    return entry.kind === 'console' ? entry.level === 'error' : entry.bad;
  };

  const label = (entry) => {
    if (entry.kind === 'action') return entry.title;
    if (entry.kind === 'console') return `${entry.level}: ${entry.text}`;
    return `${entry.method} ${entry.url} ${entry.state}`;
  };

  // Lines of one tree that the other has not, so that a person sees what an action changed.
  const lines = (tree, other, kind) => {
    const there = new Map();
    for (const line of other.split('\n')) there.set(line, (there.get(line) ?? 0) + 1);
    return tree.split('\n').map((line) => {
      const left = there.get(line) ?? 0;
      if (left > 0) there.set(line, left - 1);
      return element('span', { className: left > 0 ? '' : kind }, line === '' ? ' ' : line);
    });
  };

  const side = (title, shot, other, kind) => {
    const picture = shot.picture && element('img', { src: shot.picture, alt: `The page ${title.toLowerCase()} the action` });
    const address = shot.url && element('p', { className: 'took' }, shot.url);
    const tree = shot.tree == null ? null : element('pre', { className: 'tree' }, ...lines(shot.tree, other?.tree ?? shot.tree, kind));
    return element('section', {}, element('h3', {}, `${title}, ${since(shot.at)}`), address ?? null, picture || null, tree);
  };

  const facts = (pairs) => {
    const list = element('dl', {});
    for (const [name, value] of pairs) {
      if (value != null && value !== '') list.append(element('dt', {}, name), element('dd', {}, String(value)));
    }
    return list;
  };

  const details = (entry) => {
    const heading = element('h2', {}, label(entry));
    if (entry.kind === 'action') {
      const [before, after] = [trace.shots[entry.before], trace.shots[entry.after]];
      return [
        heading,
        entry.error == null ? null : element('pre', { className: 'error' }, entry.error),
        facts([['began', since(entry.at)], ['took', took(entry)], ['page', entry.page]]),
        element('div', { className: 'sides' }, before ? side('Before', before, after, 'gone') : null, after ? side('After', after, before, 'added') : null),
      ];
    }
    if (entry.kind === 'console') {
      return [heading, facts([['at', since(entry.at)], ['level', entry.level], ['stack', entry.stack], ['page', entry.page]])];
    }
    return [
      heading,
      facts([['began', since(entry.at)], ['took', took(entry)], ['method', entry.method], ['address', entry.url], ['outcome', entry.state], ['page', entry.page]]),
    ];
  };

  const rows = trace.entries.map((entry) => {
    const button = element(
      'button',
      { type: 'button', className: `${entry.kind}${isBad(entry) ? ' bad' : ''}` },
      element('time', {}, since(entry.at)),
      element('span', { className: 'what' }, label(entry)),
      element('span', { className: 'took' }, took(entry)),
    );
    button.addEventListener('click', () => choose(button, entry));
    return { entry, button, row: element('li', {}, button) };
  });

  const choose = (button, entry) => {
    for (const row of rows) row.button.toggleAttribute('aria-current', false);
    button.setAttribute('aria-current', 'true');
    at('details').replaceChildren(...details(entry).filter((part) => part !== null));
    at('details').scrollTop = 0;
  };

  const filter = () => {
    const kinds = new Set([...at('kinds').querySelectorAll(':checked')].map((box) => box.value));
    const shown = rows.filter(({ entry }) => kinds.has(entry.kind));
    at('entries').replaceChildren(...shown.map(({ row }) => row));
    at('nothing').hidden = shown.length > 0;
  };

  at('entries').addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...at('entries').querySelectorAll('button')];
    const next = buttons[buttons.indexOf(document.activeElement) + (step ?? NaN)];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.click();
  });
  at('kinds').addEventListener('change', filter);

  document.title = `${trace.title} – trace`;
  at('title').textContent = trace.title;
  const count = (kind, one, many) => {
    const found = trace.entries.filter((entry) => entry.kind === kind).length;
    return `${found} ${found === 1 ? one : many}`;
  };
  const counts = [count('action', 'action', 'actions'), count('console', 'console entry', 'console entries'), count('network', 'request', 'requests')];
  at('summary').textContent = `${new Date(trace.started).toISOString()} · ${trace.browser} · ${counts.join(', ')}`;
  if (trace.failure) {
    at('failure').textContent = trace.failure;
    at('failure').hidden = false;
  }
  filter();
  // What people come for: the action that failed, else the last one.
  const actions = rows.filter(({ entry }) => entry.kind === 'action');
  const first = actions.find(({ entry }) => isBad(entry)) ?? actions.at(-1) ?? rows[0];
  if (first) {
    choose(first.button, first.entry);
    first.row.scrollIntoView({ block: 'center' });
  }
}
