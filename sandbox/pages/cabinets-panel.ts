import type { Action, CabinetView, DoorBody } from '../cabinets/model.ts';
import type { Say } from './cabinets-words.ts';
import { doorState } from './cabinets-wall.ts';
import { button, labelled, onSubmit, option } from './parts.ts';
import { el } from './shell.ts';

export type Act = (action: Action) => void;

const ids = (() => {
  let last = 0;
  return () => `f${(last += 1)}`;
})();

function toggle(text: string, on: boolean, change: (on: boolean) => void) {
  const id = ids();
  const input = el('input', { type: 'checkbox', role: 'switch', id, checked: on });
  input.addEventListener('change', () => change(input.checked));
  return el('div', { class: 'switch' }, input, el('label', { for: id }, text));
}

function choice<T extends string>(text: string, value: T, options: readonly (readonly [T, string])[], change: (value: T) => void) {
  const select = el('select', { id: ids() }, ...options.map(([key, name]) => option(key, name, key === value)));
  select.addEventListener('change', () => change(select.value as T));
  return labelled(select, text, { class: 'choice' });
}

/** What hands can do to the chosen door. */
export function doorPanel(view: CabinetView, door: DoorBody | undefined, say: Say, act: Act): HTMLElement[] {
  if (!door) return [el('p', { class: 'dim' }, say('chooseDoor'))];
  const { no } = door;
  const tag = view.layout.columns.flatMap((column) => column.doors).find((one) => one.no === no)?.tag ?? '';
  const what = el('input', { id: ids(), maxlength: '60', placeholder: say('parcel') });
  const put = el(
    'form',
    { class: 'put' },
    el('label', { for: what.id, class: 'sr' }, say('what')),
    what,
    el('button', { type: 'submit', class: 'primary' }, say('put')),
  );
  onSubmit(put, () => act({ do: 'put', door: no, what: what.value.trim() || say('parcel') }));
  const hands = door.open
    ? [
        door.content === null ? put : button(say('take'), () => act({ do: 'take', door: no }), { class: 'primary' }),
        button(say('close'), () => act({ do: 'close', door: no }), { disabled: door.jammed }),
        button(say('closeUnlatched'), () => act({ do: 'close', door: no, latch: false }), { class: 'quiet', disabled: door.jammed }),
      ]
    : [
        door.locked ? null : button(say('openByHand'), () => act({ do: 'open', door: no }), { class: 'primary', disabled: door.jammed }),
        button(say('force'), () => act({ do: 'force', door: no })),
      ];
  return [
    el('div', { class: 'title' }, el('h2', {}, say('door', { tag })), el('span', { class: 'dim' }, say('compartment', { no }))),
    el('p', { class: 'state' }, doorState(door, say)),
    el('div', { class: 'hands' }, ...hands),
    el('p', { class: 'dim hint' }, say('keys')),
    el(
      'div',
      { class: 'fields' },
      toggle(say('jam'), door.jammed, (on) => act({ do: 'jam', door: no, on })),
      choice(
        say('doorSensor'),
        door.doorSensor,
        [
          ['truth', say('truth')],
          ['open', say('sensorOpen')],
          ['closed', say('sensorClosed')],
        ],
        (says) => act({ do: 'door-sensor', door: no, says }),
      ),
      view.occupancySensors
        ? choice(
            say('occupancySensor'),
            door.occupancySensor,
            [
              ['truth', say('truth')],
              ['occupied', say('occupied')],
              ['empty', say('empty')],
            ],
            (says) => act({ do: 'occupancy-sensor', door: no, says }),
          )
        : null,
    ),
  ];
}

/** What accidents can do to the whole cabinet. */
export function cabinetPanel(view: CabinetView, say: Say, act: Act): HTMLElement[] {
  const { faults, connection } = view;
  const powered = connection !== 'unplugged' && connection !== 'off';
  return [
    el('h2', {}, say('power')),
    el(
      'div',
      { class: 'hands' },
      powered
        ? button(say('pull'), () => act({ do: 'power', to: 'cut' }))
        : button(say('pushIn'), () => act({ do: 'power', to: 'on' }), { class: 'primary' }),
      powered ? button(say('shutDown'), () => act({ do: 'power', to: 'off' })) : null,
    ),
    el(
      'div',
      { class: 'fields' },
      toggle(say('network'), connection !== 'no-network', (on) => act({ do: 'network', on })),
    ),
    el('h2', {}, say('faults')),
    el(
      'div',
      { class: 'fields' },
      toggle(say('silent'), faults.silent, (silent) => act({ do: 'fault', silent })),
      toggle(say('doubled'), faults.doubled, (doubled) => act({ do: 'fault', doubled })),
      toggle(say('staleRetained'), faults.staleRetained, (staleRetained) => act({ do: 'fault', staleRetained })),
      choice(
        say('slow'),
        String(faults.slowMs),
        [...new Set([0, 2_000, 4_000, 8_000, faults.slowMs])].map(
          (ms) => [String(ms), ms === 0 ? say('slowNone') : `${ms / 1_000} s`] as const,
        ),
        (ms) => act({ do: 'fault', slowMs: Number(ms) }),
      ),
      choice(
        say('clock'),
        String(faults.clockSkewMs),
        [
          ['0', say('clockRight')],
          ['600000', say('clockFast')],
          ['-600000', say('clockSlow')],
        ],
        (ms) => act({ do: 'fault', clockSkewMs: Number(ms) }),
      ),
    ),
    button(say('mend'), () => act({ do: 'mend' }), { class: 'mend' }),
  ];
}

/** The last messages of this cabinet, newest first. */
export function wirePanel(view: CabinetView, say: Say, lang: string): HTMLElement[] {
  if (view.wire.length === 0) return [el('p', { class: 'dim' }, say('wireNone'))];
  const time = new Intl.DateTimeFormat(lang, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  });
  const lines = view.wire
    .toReversed()
    .map((line) =>
      el(
        'li',
        { class: line.to },
        el('span', { class: 'way', 'aria-hidden': 'true' }, line.to === 'server' ? '→' : '←'),
        el('span', { class: 'sr' }, say(line.to === 'server' ? 'toServer' : 'toCabinet')),
        el('time', { datetime: line.at }, time.format(new Date(line.at))),
        el('code', { class: 'topic' }, line.topic),
        el('code', { class: 'text' }, line.text),
      ),
    );
  return [el('ol', { class: 'wire', tabindex: '0', 'aria-label': say('wire') }, ...lines)];
}
