import { randomUUID } from 'node:crypto';
import type { CallInput, CallResult, Client } from '@hatchway/contract/client.ts';
import { acceptInvitation, asOperator, type Person, signIn } from '@hatchway/dev/person.ts';
import { actOn, plugIn, unplug } from '@hatchway/dev/plug-in.ts';
import type { Where } from '@hatchway/dev/where.ts';

/** A picture of one pixel; the server makes its own of it. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export type OwnCompany = {
  id: string;
  name: string;
  /** A policy's reference as the portal suggests it: with the company's name in front, since all companies share one list of them. */
  ref: (name: string) => string;
  /** Everybody's of this company. */
  password: string;
  admin: Person & { email: string };
  /** A member with these roles, signed in over HTTP; their e-mail address signs in on the page too. */
  person: (roles: Roles, name?: string) => Promise<Person & { email: string }>;
  /** The link of an invitation that nobody accepted yet. */
  invite: (email: string, roles: Roles) => Promise<string>;
  /** Makes somebody who has an account already a member of this company too. */
  join: (email: string, roles: Roles) => Promise<void>;
  /** A site with a cabinet of so many doors, answered for by a virtual cabinet of the sandbox. */
  cabinet: (options?: CabinetOptions) => Promise<OwnCabinet>;
  /** The same before anything is paired with it, for what asks nothing of the steel: its doors are on record, and nobody hears of them. */
  wall: (options?: Pick<CabinetOptions, 'doors' | 'sizes'>) => Promise<Wall>;
  remove: () => Promise<void>;
};

type Wall = { id: string; number: number; lockers: { id: string; doorTag: string; compartment: number }[] };
export type OwnCabinet = Wall & { virtual: Virtual };

/** The virtual cabinet behind it: what hands, accidents and thieves do at the steel. */
export type Virtual = { id: string; act: (action: Record<string, unknown>) => Promise<void> };

type Columns = NonNullable<CallInput<'POST /cabinets'>['body']>['columns'];
type CabinetOptions = {
  doors?: number;
  /** Of each door, from the top; else all are alike. */
  sizes?: readonly NonNullable<Columns>[number]['doors'][number]['size'][];
  hasSensors?: boolean;
  canLock?: boolean;
};

type Roles = NonNullable<NonNullable<CallInput<'POST /companies/{tenant}/invitations'>['body']>['roles']>;

const password = 'a-door-that-opens';
const licenses = ['delivery', 'sale', 'sales', 'lending', 'storage', 'consumable', 'recall', 'integrator'];

/** Mail or SMS to somebody, newest first, as the sandbox's inbox caught it; waits until there is one, since sending takes its time. */
export async function messagesTo(
  origin: string,
  to: string,
  { least = 1 } = {},
): Promise<{ at: string; text: string; links: string[]; channel: string; messageId: string | null }[]> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await fetch(`${origin}/sandbox/inbox/messages?to=${encodeURIComponent(to)}`);
    const found = (await answer.json()) as Awaited<ReturnType<typeof messagesTo>>;
    if (found.length >= least) return found;
    if (Date.now() > deadline) throw new Error(`${found.length} messages to ${to} after a minute, not ${least}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A company of a test's own, made with the operator's calls: whatever a test does in it, no other test sees. */
export async function makeCompany({ origin, operatorKey }: Where): Promise<OwnCompany> {
  const operator = asOperator(origin, operatorKey);
  const mark = randomUUID().slice(0, 8);
  const name = `Company ${mark}`;
  const email = `admin-${mark}@e2e.test`;
  const made = await operator('POST /operator/companies', { body: { name, licenses, admin: { name: 'Ada Admin', email } } });
  await acceptInvitation(made.invitationUrl, { name: 'Ada Admin', password });
  const admin = await signIn(origin, { email, password });
  const { api } = admin;
  const plugged: string[] = [];

  const invite = async (address: string, roles: Roles): Promise<string> => {
    const since = (await messagesTo(origin, address, { least: 0 })).length;
    await api('POST /companies/{tenant}/invitations', { params: { tenant: made.id }, body: { email: address, roles } });
    const link = (await messagesTo(origin, address, { least: since + 1 }))[0]?.links[0];
    if (!link) throw new Error(`No invitation came for ${address}.`);
    return link;
  };

  return {
    id: made.id,
    name,
    ref: (policy) => `company-${mark}-${policy}`,
    password,
    admin: { email, ...admin },
    person: async (roles, who = 'Per Person') => {
      const address = `person-${randomUUID().slice(0, 8)}@e2e.test`;
      await acceptInvitation(await invite(address, roles), { name: who, password });
      return { ...(await signIn(origin, { email: address, password })), email: address };
    },
    invite,
    join: async (address, roles) => acceptInvitation(await invite(address, roles), { name: '', password }),
    wall: async (options) => {
      const { cabinet } = await hang(api, mark, options);
      return wallOf(cabinet, await api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } }));
    },
    cabinet: async (options) => {
      const cabinet = await makeCabinet(origin, api, mark, options);
      plugged.push(cabinet.virtual.id);
      return cabinet;
    },
    remove: async () => {
      // those too that a test plugged in by itself: a controller goes by its cabinet's id
      const all = await api('GET /cabinets', { query: { limit: 200 } }).catch(() => []);
      await operator('DELETE /operator/companies/{id}', { params: { id: made.id } });
      // left there they would ask the broker to be let in for the rest of the run, and stand on everybody's page of the sandbox
      for (const id of new Set([...plugged, ...all.map((one) => one.id)])) await unplug(origin, id);
    },
  };
}

async function hang(
  api: Client,
  mark: string,
  { doors = 6, sizes = Array.from({ length: doors }, () => 'M') }: Pick<CabinetOptions, 'doors' | 'sizes'> = {},
) {
  const site = await api('POST /sites', { body: { name: `Site ${randomUUID().slice(0, 8)}`, address: 'Storgata 1, Oslo' } });
  const columns = [
    {
      width: 450,
      doors: sizes.map((size, at) => ({
        doorTag: `${randomUUID().slice(0, 4).toUpperCase()}-${at + 1}`,
        compartment: at + 1,
        size,
        height: 300,
      })),
    },
  ];
  return { cabinet: await api('POST /cabinets', { body: { siteId: site.id, name: `Cabinet ${mark}`, columns } }), columns };
}

const wallOf = ({ id, number }: { id: string; number: number }, lockers: Wall['lockers']): Wall => ({
  id,
  number,
  lockers: lockers.map(({ id, doorTag, compartment }) => ({ id, doorTag, compartment })),
});

async function makeCabinet(
  origin: string,
  api: Client,
  mark: string,
  { hasSensors = true, canLock = true, ...shape }: CabinetOptions = {},
): Promise<OwnCabinet> {
  const { cabinet, columns } = await hang(api, mark, shape);
  const { code } = await api('POST /cabinets/{id}/pair', { params: { id: cabinet.id } });
  const id = await plugIn(origin, { name: `Cabinet ${mark}`, code, columns, canLock, hasSensors });
  const lockers = await allHeard(api, cabinet.id);
  return { ...wallOf(cabinet, lockers), virtual: { id, act: (action) => actOn(origin, id, action) } };
}

/** A cabinet that hangs on the wall has said how each of its doors stands: what a test does next meets it as people would. */
async function allHeard(api: Client, id: string): Promise<CallResult<'GET /cabinets/{id}/lockers'>> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const lockers = await api('GET /cabinets/{id}/lockers', { params: { id } });
    if (lockers.every(({ connection, door }) => connection === 'online' && door === 'closed')) return lockers;
    if (Date.now() > deadline) throw new Error('The virtual cabinet was not heard of in a minute.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
