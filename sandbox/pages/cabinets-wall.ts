import type { CabinetView, DoorBody, Layout } from '../cabinets/model.ts';
import type { Say } from './cabinets-words.ts';
import { el } from './shell.ts';

type LayoutDoor = Layout['columns'][number]['doors'][number];

/** A door in words: what is printed beside it and spoken for it. */
export function doorState(door: DoorBody, say: Say): string {
  const parts = [door.open ? say('open') : say('closed')];
  if (!door.open) parts.push(say(door.locked ? 'locked' : 'unlocked'));
  parts.push(door.content === null ? say('empty') : say('holds', { what: door.content }));
  if (door.jammed) parts.push(say('jammed'));
  if (door.occupancySensor !== 'truth' || door.doorSensor !== 'truth') parts.push(say('sensorLies'));
  return parts.join(', ');
}

export type Wall = ReturnType<typeof createWall>;

/** The steel, to scale. Doors are made once and then only change their attributes, so that a swing is a swing and focus stays where it is. */
export function createWall(view: CabinetView, say: Say, choose: (no: number) => void) {
  const buttons = new Map<number, HTMLButtonElement>();
  const tags = new Map<number, string>();
  const columns = view.layout.columns.map((column) => {
    const node = el('div', { class: 'column' }, ...column.doors.map((door) => compartment(door)));
    node.style.setProperty('--mm', String(column.width));
    return node;
  });
  const led = el('span', { class: 'led' });
  const display = el('span', { class: 'display' });
  const node = el(
    'div',
    { class: 'cabinet', role: 'group', 'aria-label': say('wall', { name: view.name }) },
    el('div', { class: 'head' }, el('span', { class: 'plate' }, view.name), display, led),
    el('div', { class: 'columns' }, ...columns),
    el('div', { class: 'plinth' }, el('i'), el('i')),
  );
  const width = view.layout.columns.reduce((sum, column) => sum + column.width, 0);
  const height = Math.max(...view.layout.columns.map((column) => column.doors.reduce((sum, door) => sum + door.height, 0)));
  node.style.setProperty('--wide', String(width));
  node.style.setProperty('--high', String(height));

  function compartment(door: LayoutDoor) {
    const button = el(
      'button',
      { type: 'button', class: 'door', 'data-door': String(door.no), tabindex: '-1' },
      el(
        'span',
        { class: 'inside', 'aria-hidden': 'true' },
        el('span', { class: 'thing' }),
        el('span', { class: 'print number', 'data-print': door.tag }),
      ),
      el(
        'span',
        { class: 'leaf', 'aria-hidden': 'true' },
        el('span', { class: 'print tag', 'data-print': door.tag }),
        el('span', { class: 'print size', 'data-print': door.size ?? '' }),
        el('span', { class: 'print signs' }),
        el('span', { class: 'lock' }),
      ),
    );
    button.style.setProperty('--mm', String(door.height));
    button.addEventListener('click', () => choose(door.no));
    button.addEventListener('keydown', (event) => walk(event, door.no));
    buttons.set(door.no, button);
    tags.set(door.no, door.tag);
    return button;
  }

  /** Arrow keys go to the nearest door in that direction, as the eye would. */
  function walk(event: KeyboardEvent, from: number) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const here = buttons.get(from)?.getBoundingClientRect();
    if (!step || !here) return;
    event.preventDefault();
    const [dx = 0, dy = 0] = step;
    let best: { no: number; cost: number } | null = null;
    for (const [no, button] of buttons) {
      const there = button.getBoundingClientRect();
      const x = there.x + there.width / 2 - (here.x + here.width / 2);
      const y = there.y + there.height / 2 - (here.y + here.height / 2);
      const along = x * dx + y * dy;
      if (no === from || along <= 4) continue;
      const cost = along + 3 * Math.abs(dx === 0 ? x : y);
      if (best === null || cost < best.cost) best = { no, cost };
    }
    if (best === null) return;
    buttons.get(best.no)?.focus();
    choose(best.no);
  }

  function update(next: CabinetView, selected: number | null) {
    node.dataset['connection'] = next.connection;
    display.textContent = say(next.connection);
    const stop = selected ?? next.doors[0]?.no;
    for (const door of next.doors) {
      const button = buttons.get(door.no);
      if (!button) continue;
      const text = `${say('door', { tag: tags.get(door.no) ?? '' })}: ${doorState(door, say)}`;
      if (button.getAttribute('aria-label') !== text) button.setAttribute('aria-label', text);
      button.setAttribute('aria-pressed', String(door.no === selected));
      button.tabIndex = door.no === stop ? 0 : -1;
      button.classList.toggle('open', door.open);
      button.classList.toggle('unlatched', !door.open && !door.locked);
      button.classList.toggle('full', door.content !== null);
      button.classList.toggle('lying', door.occupancySensor !== 'truth' || door.doorSensor !== 'truth');
      button.querySelector('.signs')?.setAttribute('data-print', door.jammed ? '⚠' : '');
    }
  }

  update(view, null);
  return { node, update };
}
