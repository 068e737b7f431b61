import type { Action, CabinetView } from '../cabinets/model.ts';
import { handedOver, newCabinet } from './cabinets-new.ts';
import { cabinetPanel, doorPanel, wirePanel } from './cabinets-panel.ts';
import { createWall, type Wall } from './cabinets-wall.ts';
import { isWord, sayIn } from './cabinets-words.ts';
import { button, send } from './parts.ts';
import { el, shell } from './shell.ts';

const HOME = '/sandbox/cabinets';
const lang = shell('cabinets');
const say = sayIn(lang);
document.title = `Hatchway – ${say('title')}`;

const views = new Map<string, CabinetView>();
/** The address says which cabinet and door are looked at, so that a link or a test finds them again. */
let current: string | null = new URLSearchParams(location.hash.slice(1)).get('cabinet');
/** As the portal names it: by the controller that answers for it. */
let wanted: string | null = new URLSearchParams(location.hash.slice(1)).get('controller');
let door: number | null = Number(new URLSearchParams(location.hash.slice(1)).get('door')) || null;
let wall: { id: string; shape: string; wall: Wall } | null = null;
let told = false;
/** Chosen before it was told of, as one that was plugged in a moment ago: shown once it is. */
let awaited: string | null = null;

const tabs = el('nav', { class: 'tabs', 'aria-label': say('title') });
const stage = el('div', { class: 'stage', tabindex: '0', role: 'region', 'aria-label': say('title') });
const doorBox = el('section', { class: 'card panel' });
const cabinetBox = el('section', { class: 'card panel' });
const wireBox = el('section', { class: 'card wirebox' });
const live = el('span', { class: 'live off' }, '…');
const spoken = el('p', { class: 'sr', role: 'status' });
const failure = el('p', { class: 'failure', role: 'alert' });
const remove = button(
  say('remove'),
  () => {
    const view = current === null ? undefined : views.get(current);
    if (view && confirm(say('removeSure', { name: view.name }))) void send('DELETE', `${HOME}/${view.id}`);
  },
  { class: 'quiet' },
);
const handed = handedOver(location.hash);
const plug = el(
  'details',
  { class: 'card plug', ...(handed ? { open: true } : {}) },
  el('summary', {}, say('plugIn')),
  newCabinet(say, choose, handed),
);
const empty = el('section', { class: 'card empty', hidden: true }, el('h2', {}, say('none')), el('p', { class: 'dim' }, say('noneText')));
const sides = el(
  'div',
  { class: 'sides' },
  el('div', { class: 'left' }, stage, failure, wireBox),
  el('div', { class: 'right' }, doorBox, cabinetBox),
);

document
  .getElementById('main')
  ?.append(
    el('header', { class: 'head' }, el('div', { class: 'lead' }, el('h1', {}, say('title')), el('p', { class: 'dim' }, say('lead'))), live),
    tabs,
    empty,
    sides,
    plug,
    remove,
    spoken,
  );

function choose(id: string) {
  current = id;
  awaited = views.has(id) ? null : id;
  door = null;
  plug.open = false;
  draw();
}

function chooseDoor(no: number) {
  door = no;
  failure.textContent = '';
  draw();
}

async function act(action: Action) {
  if (current === null) return;
  const answer = await send('POST', `${HOME}/${current}/act`, action);
  const result = (await answer.json()) as CabinetView & { code?: string };
  if (answer.ok) {
    failure.textContent = '';
    return take(result);
  }
  const code = result.code ?? String(answer.status);
  failure.textContent = isWord(code) ? say(code) : say('failed', { code });
}

const press = (action: Action) =>
  void act(action).catch((error: unknown) => (failure.textContent = say('failed', { code: String(error) })));

/** Speaks what a door did, for those who do not see it swing. */
function speak(before: CabinetView | undefined, after: CabinetView) {
  if (after.id !== current) return;
  for (const one of after.doors) {
    const was = before?.doors.find((other) => other.no === one.no);
    if (!was || was.open === one.open) continue;
    const tag = after.layout.columns.flatMap((column) => column.doors).find((other) => other.no === one.no)?.tag ?? '';
    spoken.textContent = say(one.open ? 'saidOpen' : 'saidClosed', { tag });
  }
}

function take(view: CabinetView) {
  speak(views.get(view.id), view);
  views.set(view.id, view);
  if (view.id === awaited) choose(view.id);
  if (view.controllerId === wanted) {
    current = view.id;
    wanted = null;
  }
  draw();
}

/** Replaces a panel's content but keeps what is typed and where the focus is: a message from the wire must not pull the hand away. */
function fill(box: HTMLElement, key: string, make: () => HTMLElement[]) {
  if (box.dataset['key'] === key) return;
  box.dataset['key'] = key;
  const focused = box.contains(document.activeElement) ? document.activeElement : null;
  const place = focused === null ? -1 : [...box.querySelectorAll('button, input, select')].indexOf(focused);
  const typed = focused instanceof HTMLInputElement && focused.type === 'text' ? focused.value : null;
  box.replaceChildren(...make());
  if (place < 0) return;
  const next = [...box.querySelectorAll<HTMLElement>('button, input, select')].filter((node) => !node.hasAttribute('disabled'));
  const target = next[Math.min(place, next.length - 1)];
  target?.focus();
  if (typed !== null && target instanceof HTMLInputElement && target.type === 'text') target.value = typed;
}

function draw() {
  if (wanted !== null && !told) return;
  if (wanted !== null) {
    // no cabinet here answers for it, so the door is not one of ours
    wanted = null;
    door = null;
  }
  if (current === null || !views.has(current)) current = told || current === null ? ([...views.keys()][0] ?? null) : current;
  const view = current === null ? undefined : views.get(current);
  empty.hidden = !told || views.size > 0;
  sides.hidden = view === undefined;
  remove.hidden = view === undefined;
  if (told && views.size === 0) plug.open = true;
  fill(tabs, [...views.values()].map((one) => `${one.id}${one.name}${one.connection}`).join() + current, () =>
    [...views.values()].map(tab),
  );
  if (!view) return;
  history.replaceState(null, '', `#cabinet=${view.id}${door === null ? '' : `&door=${door}`}`);

  const shape = JSON.stringify([view.layout, view.name]);
  if (wall?.id !== view.id || wall.shape !== shape) {
    wall = { id: view.id, shape, wall: createWall(view, say, chooseDoor) };
    stage.replaceChildren(wall.wall.node);
  }
  wall.wall.update(view, door);
  const body = view.doors.find((one) => one.no === door);
  fill(doorBox, JSON.stringify([view.id, body ?? null]), () => doorPanel(view, body, say, press));
  fill(cabinetBox, JSON.stringify([view.id, view.connection, view.faults]), () => cabinetPanel(view, say, press));
  fill(wireBox, JSON.stringify([view.id, view.wire.at(-1), view.wire.length]), () => [
    el('h2', {}, say('wire')),
    ...wirePanel(view, say, lang),
  ]);
}

function tab(view: CabinetView) {
  const node = el(
    'button',
    { type: 'button', class: 'tab', 'aria-current': view.id === current ? 'true' : undefined },
    el('span', { class: `dot ${view.connection}`, 'aria-hidden': 'true' }),
    el('span', {}, view.name),
    el('span', { class: 'dim' }, say(view.connection)),
  );
  node.addEventListener('click', () => choose(view.id));
  return node;
}

/** Letters are only for the wall, and for the door that has the focus: elsewhere they are typed, or choose in a list. */
stage.addEventListener('keydown', (event) => {
  const button = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-door]') : null;
  const no = Number(button?.dataset['door']);
  if (!no || event.ctrlKey || event.metaKey || event.altKey) return;
  const actions: Record<string, Action> = {
    c: { do: 'close', door: no },
    p: { do: 'put', door: no, what: say('parcel') },
    t: { do: 'take', door: no },
    f: { do: 'force', door: no },
  };
  const action = actions[event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault();
  chooseDoor(no);
  press(action);
});

// The browser connects again by itself; each time the server first sends every cabinet, then `all`.
const stream = new EventSource(`${HOME}/stream`);
let seen = new Set<string>();
stream.addEventListener('open', () => {
  seen = new Set();
  live.className = 'live';
  live.textContent = say('live');
});
stream.addEventListener('error', () => {
  live.className = 'live off';
  live.textContent = say('lost');
});
stream.addEventListener('cabinet', (event) => {
  const view = JSON.parse(event.data as string) as CabinetView;
  seen.add(view.id);
  take(view);
});
stream.addEventListener('gone', (event) => {
  views.delete(JSON.parse(event.data as string) as string);
  draw();
});
stream.addEventListener('all', () => {
  told = true;
  for (const id of views.keys()) if (!seen.has(id)) views.delete(id);
  draw();
});
draw();
