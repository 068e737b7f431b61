import type { Layout } from '../cabinets/model.ts';
import { isWord, type Say } from './cabinets-words.ts';
import { labelled, onSubmit, option, send } from './parts.ts';
import { el } from './shell.ts';

const SIZES = { S: 150, M: 250, L: 400, XL: 600 } as const;
type Size = keyof typeof SIZES;

/** Columns of equal height: 1,600 mm each. */
const COLUMNS: readonly (readonly Size[])[] = [
  ['M', 'M', 'M', 'M', 'XL'],
  ['S', 'S', 'S', 'S', 'XL', 'L'],
  ['S', 'S', 'M', 'M', 'M', 'S', 'L'],
  ['L', 'L', 'L', 'L'],
];
const SHAPES = { small: [0, 0], medium: [0, 1, 0, 3], large: [0, 1, 2, 0, 1, 3] } as const;
type Shape = keyof typeof SHAPES;

function layoutOf(shape: Shape): Layout {
  let no = 0;
  const columns = SHAPES[shape].map((which, index) => ({
    width: 420,
    doors: (COLUMNS[which] ?? []).map((size, row) => ({
      no: (no += 1),
      tag: `${String.fromCharCode(65 + index)}${row + 1}`,
      height: SIZES[size],
      size,
    })),
  }));
  return { columns };
}

/** What the portal's builder hands over in the address: the code, the cabinet's name, and its wall, so that the doors are the same. */
export type Handed = { code: string; name: string; layout: Layout | null };

export function handedOver(hash: string): Handed | null {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const code = given.get('pair');
  if (code === null) return null;
  let layout: Layout | null = null;
  try {
    // The server checks it like any other layout.
    layout = JSON.parse(given.get('wall') ?? 'null') as Layout | null;
  } catch {
    layout = null;
  }
  return { code, name: given.get('name') ?? '', layout };
}

/** For a cabinet that somebody made in the portal: its pairing code is typed here, as it would be at a real controller. */
export function newCabinet(say: Say, made: (id: string) => void, handed: Handed | null = null): HTMLFormElement {
  const code = el('input', { id: 'new-code', required: true, maxlength: '12', autocomplete: 'off', spellcheck: 'false', class: 'mono' });
  const name = el('input', { id: 'new-name', required: true, maxlength: '80' });
  const shape = el(
    'select',
    { id: 'new-shape' },
    ...(handed?.layout ? [option('handed', say('handed', { doors: doorsIn(handed.layout) }))] : []),
    ...(['small', 'medium', 'large'] as const).map((key) => option(key, shapeName(key, say))),
  );
  code.value = handed?.code ?? '';
  name.value = handed?.name ?? '';
  const failure = el('p', { class: 'failure', role: 'alert' });
  const form = el(
    'form',
    { class: 'new' },
    labelled(code, say('code')),
    labelled(name, say('name')),
    labelled(shape, say('shape')),
    el('button', { type: 'submit', class: 'primary' }, say('connect')),
    failure,
  );
  onSubmit(form, () => {
    failure.textContent = '';
    void connect().catch((error: unknown) => {
      failure.textContent = say('failed', { code: error instanceof Error ? error.message : '' });
    });
  });

  async function connect() {
    const body = {
      code: code.value,
      name: name.value.trim(),
      layout: (shape.value === 'handed' ? handed?.layout : null) ?? layoutOf(shape.value === 'handed' ? 'small' : (shape.value as Shape)),
    };
    const answer = await send('POST', '/sandbox/cabinets', body);
    const result = (await answer.json()) as { id?: string; code?: string };
    if (answer.ok && result.id !== undefined) {
      form.reset();
      return made(result.id);
    }
    const refused = result.code ?? '';
    failure.textContent =
      refused === 'pairing-refused' || refused === 'malformed'
        ? say('refusedCode')
        : isWord(refused)
          ? say(refused)
          : say('failed', { code: refused });
  }
  return form;
}

function shapeName(shape: Shape, say: Say) {
  return say(shape, { doors: doorsIn(layoutOf(shape)) });
}

function doorsIn(layout: Layout) {
  return layout.columns.reduce((sum, column) => sum + column.doors.length, 0);
}
