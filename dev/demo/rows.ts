import { STAGES } from '@hatchway/domain/terms.ts';
import { signIn } from '../person.ts';
import { demoCompany, demoPassword } from './people.ts';
import { receivers } from './things.ts';

/** Rows of the demo company that addresses of screens need: an asset, an occupation with a story, a payment, a link as a receiver got it. */
export async function demoRows(origin: string): Promise<Record<string, string>> {
  const { api } = await signIn(origin, { email: demoCompany.admin.email, password: demoPassword });
  const [asset] = await api('GET /assets', { query: { limit: 1 } });
  const ended = await api('GET /occupations', { query: { q: { type: 'delivery', stage: STAGES.TERMINATED } } });
  const occupation = ended.find((one) => one.endReason === 'taken') ?? ended[0];
  const rows: Record<string, string> = {};
  const [current] = await api('GET /occupations', { query: { q: { type: 'delivery', stage: STAGES.CONTACTED }, limit: 1 } });
  if (current) rows.current = current.id;
  const [cabinet] = await api('GET /cabinets');
  if (cabinet) rows.cabinet = cabinet.id;
  if (asset) rows.asset = asset._id;
  const [payment] = await api('GET /payments', { query: { q: { state: 'refunded' }, limit: 1 } });
  if (payment) rows.payment = payment._id;
  if (occupation) rows.occupation = occupation.id;
  const [link] = await api('GET /links', { query: { q: { state: 'active', purpose: 'drop-off' }, limit: 1 } });
  if (link) {
    const { url } = await api('GET /links/{id}/url', { params: { id: link.id } });
    Object.assign(rows, { accessLink: link.id, accessAddress: new URL(url).pathname });
  }
  for (const { tlf } of receivers) {
    const answer = await fetch(`${origin}/sandbox/inbox/messages?to=${encodeURIComponent(tlf)}`);
    const link = ((await answer.json()) as { links: string[] }[]).flatMap((message) => message.links).find((one) => one.includes('/p/'));
    if (link) rows.link ??= new URL(link).pathname;
  }
  return rows;
}
