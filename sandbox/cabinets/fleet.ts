import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { pairingAnswer, pairingCode } from '@hatchway/contract/devices.ts';
import { createListeners } from '../listeners.ts';
import { createCabinet, FIRMWARE, MODEL, type Cabinet } from './cabinet.ts';
import { layoutSchema } from './model.ts';

export const newCabinetSchema = z.object({
  name: z.string().min(1).max(80),
  layout: layoutSchema,
  canLock: z.boolean().default(false),
  occupancySensors: z.boolean().default(true),
  /** The code that the portal shows for this cabinet; or what an earlier pairing gave. */
  code: pairingCode.optional(),
  credentials: pairingAnswer.optional(),
});
export type NewCabinet = z.input<typeof newCabinetSchema>;

const keptSchema = newCabinetSchema.extend({ credentials: pairingAnswer });
type Kept = z.infer<typeof keptSchema>;

export interface FleetOptions {
  /** Where cabinets, their credentials and their doors are kept. Without it they are forgotten at the end. */
  folder?: string;
  /** The server's address, for POST /v1/devices/pair. */
  origin: string;
  /** Stands in for the address given at pairing: a broker in the server's process may take another port at its next start. */
  mqttUrl?: string | (() => string);
  latchMs?: number;
}

export type Fleet = ReturnType<typeof createFleet>;

/** Thrown when the server does not take the pairing code; `status` is its answer. */
export class PairingRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the server refused the pairing code (${status})`);
    this.status = status;
  }
}

export function createFleet(options: FleetOptions) {
  const cabinets = new Map<string, Cabinet>();
  const { on: onChange, tell: told } = createListeners<[id: string]>();
  const file = (id: string, kind: string) => (options.folder === undefined ? undefined : join(options.folder, `${id}.${kind}.json`));

  function start(kept: Kept): Cabinet {
    const { controllerId: id } = kept.credentials;
    const stateFile = file(id, 'state');
    const cabinet = createCabinet({
      id,
      name: kept.name,
      mqttUrl: options.mqttUrl ?? kept.credentials.mqttUrl,
      credentials: kept.credentials,
      layout: kept.layout,
      canLock: kept.canLock,
      occupancySensors: kept.occupancySensors,
      ...(stateFile === undefined ? {} : { stateFile }),
      ...(options.latchMs === undefined ? {} : { latchMs: options.latchMs }),
    });
    cabinets.set(id, cabinet);
    cabinet.onChange(() => told(id));
    told(id);
    return cabinet;
  }

  function keep(kept: Kept) {
    const path = file(kept.credentials.controllerId, 'cabinet');
    if (path === undefined || options.folder === undefined) return;
    mkdirSync(options.folder, { recursive: true });
    // Beside it first: whoever ends this process meanwhile leaves what was kept before.
    writeFileSync(`${path}.new`, JSON.stringify(kept, null, 2), { mode: 0o600 });
    chmodSync(`${path}.new`, 0o600);
    renameSync(`${path}.new`, path);
  }

  for (const name of readFolder(options.folder)) {
    const kept = keptSchema.safeParse(JSON.parse(readFileSync(join(options.folder ?? '', name), 'utf8')));
    if (kept.success) start(kept.data);
  }

  return {
    list: (): Cabinet[] => [...cabinets.values()],
    get: (id: string): Cabinet | undefined => cabinets.get(id),
    /** Pairs with the server when given a code. A cabinet that is paired anew keeps its doors. */
    async add(input: NewCabinet): Promise<Cabinet> {
      const { code, ...rest } = newCabinetSchema.parse(input);
      const credentials = rest.credentials ?? (await pairWith(`${options.origin}/v1/devices/pair`, code ?? ''));
      const kept: Kept = { ...rest, credentials };
      await cabinets.get(credentials.controllerId)?.close();
      keep(kept);
      return start(kept);
    },
    async remove(id: string): Promise<boolean> {
      const cabinet = cabinets.get(id);
      if (!cabinet) return false;
      cabinets.delete(id);
      await cabinet.close();
      for (const kind of ['cabinet', 'state']) {
        const path = file(id, kind);
        if (path !== undefined) rmSync(path, { force: true });
      }
      told(id);
      return true;
    },
    onChange,
    async close() {
      await Promise.all([...cabinets.values()].map((cabinet) => cabinet.close()));
    },
  };
}

function readFolder(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.cabinet.json'))
      .sort();
  } catch {
    return [];
  }
}

async function pairWith(url: string, code: string) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, fw: FIRMWARE, model: MODEL }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new PairingRefused(answer.status);
  return pairingAnswer.parse(await answer.json());
}
