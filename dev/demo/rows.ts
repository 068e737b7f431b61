import { STAGES } from '@hatchway/domain/terms.ts';
import { signIn } from '../person.ts';
import { askPayer, beginToBuy } from '../vipps.ts';
import { demoCompany, demoPassword, demoShop } from './people.ts';

/** Newest first, as the sandbox's inbox lists them. */
async function messagesTo(origin: string, to: string): Promise<{ text: string; links: string[] }[]> {
  const answer = await fetch(`${origin}/sandbox/inbox/messages?to=${encodeURIComponent(to)}`);
  return (await answer.json()) as { text: string; links: string[] }[];
}

/** Rows of the demo company that addresses of screens need: an asset, an occupation with a story, a payment, a link as a receiver got it. */
export async function demoRows(origin: string): Promise<Record<string, string>> {
  const { api } = await signIn(origin, { email: demoCompany.admin.email, password: demoPassword });
  const [asset] = await api('GET /assets', { query: { q: { source: 'local' }, limit: 1 } });
  const ended = await api('GET /occupations', { query: { q: { type: 'delivery', stage: STAGES.TERMINATED } } });
  const occupation = ended.find((one) => one.endReason === 'taken') ?? ended[0];
  // the sandbox shows the first of its cabinets by itself, and everybody's messages
  const rows: Record<string, string> = { virtual: '', inbox: '', asked: await askPayer(origin), ...(await beginToBuy(origin, demoShop)) };
  const [current] = await api('GET /occupations', { query: { q: { type: 'delivery', stage: STAGES.CONTACTED }, limit: 1 } });
  if (current) rows.current = current.id;
  const uses = {
    lendable: ['lending', STAGES.ACQUIRABLE],
    lent: ['lending', STAGES.VACANT],
    stock: ['consumable', STAGES.ACQUIRABLE],
    goods: ['sale', STAGES.ACQUIRABLE],
    takenOut: ['delivery', STAGES.VACANT],
  } as const;
  for (const [name, [type, stage]] of Object.entries(uses)) {
    const [one] = await api('GET /occupations', { query: { q: { type, stage }, limit: 1 } });
    if (one) rows[name] = one.id;
  }
  const [cabinet] = await api('GET /cabinets');
  if (cabinet) rows.cabinet = cabinet.id;
  if (asset) rows.asset = asset._id;
  const [toolAsset] = await api('GET /assets', { query: { q: { source: 'tcm' }, limit: 1 } });
  if (toolAsset) rows.toolAsset = toolAsset._id;
  const [payment] = await api('GET /payments', { query: { q: { state: 'refunded' }, limit: 1 } });
  if (payment) rows.payment = payment._id;
  for (const state of ['captured', 'reserved'] as const) {
    const [one] = await api('GET /payments', { query: { q: { state }, limit: 1 } });
    if (one) rows[state] = one._id;
  }
  const [invited] = await messagesTo(origin, 'nora@demo.test');
  const invitation = invited?.links.find((one) => one.includes('/invitations/'));
  if (invitation) rows.invitation = new URL(invitation).pathname;
  if (occupation) rows.occupation = occupation.id;
  const [link] = await api('GET /links', { query: { q: { state: 'active', purpose: 'drop-off' }, limit: 1 } });
  if (link) {
    const { url } = await api('GET /links/{id}/url', { params: { id: link.id } });
    Object.assign(rows, { accessLink: link.id, accessAddress: new URL(url).pathname });
  }
  // of one whose content still waits: the rest of a story is a page without its main button
  const waiting = await api('GET /occupations', { query: { q: { type: 'delivery', stage: STAGES.CONTACTED } } });
  for (const { doorTag, receiver } of waiting) {
    const told = (await messagesTo(origin, receiver?.tlf ?? receiver?.email ?? '')).find(({ text }) => text.includes(doorTag));
    const address = told?.links.find((one) => one.includes('/p/'));
    if (address) rows.link ??= new URL(address).pathname;
  }
  return rows;
}
