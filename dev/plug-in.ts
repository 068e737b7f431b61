/** The sandbox's virtual cabinets over their own HTTP, as its page uses them. */

export type Plug = {
  name: string;
  /** The pairing code that staff would type at the controller. */
  code: string;
  columns: { width: number; doors: { compartment: number; doorTag: string; height: number; size: string }[] }[];
  canLock: boolean;
  hasSensors: boolean;
};

async function send<T>(url: string, body: unknown): Promise<T> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Sets up a virtual cabinet of that shape, pairs it, plugs it in; answers its id in the sandbox. */
export async function plugIn(origin: string, { name, code, columns, canLock, hasSensors }: Plug): Promise<string> {
  const layout = {
    columns: columns.map(({ width, doors }) => ({
      width,
      doors: doors.map(({ compartment, doorTag, height, size }) => ({ no: compartment, tag: doorTag, height, size })),
    })),
  };
  const { id } = await send<{ id: string }>(`${origin}/sandbox/cabinets`, {
    name,
    code,
    layout,
    canLock,
    occupancySensors: hasSensors,
  });
  return id;
}

/** What hands, accidents and thieves do at the steel; the words are those of sandbox/cabinets/model.ts. */
export async function actOn(origin: string, id: string, action: Record<string, unknown>): Promise<void> {
  await send(`${origin}/sandbox/cabinets/${id}/act`, action);
}

/** Takes it off the wall, for good. */
export async function unplug(origin: string, id: string): Promise<void> {
  await fetch(`${origin}/sandbox/cabinets/${id}`, { method: 'DELETE' });
}
