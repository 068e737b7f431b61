import { randomUUID } from 'node:crypto';
import { messagesTo } from '../company.ts';
import { expect, once, openButton, someNumber, test, waiting } from '../counter.ts';

// The provider took it, and its answer was lost: nobody knows whether the receiver was told, so nothing is sent twice by itself.

const loseAnswer = (origin: string, channel: 'sms' | 'mail', to: string) =>
  fetch(`${origin}/sandbox/inbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel, kind: 'answer-lost', to }),
  });
/** Longer than a temporary refusal waits before it is tried again. */
const LONGER = 5_000;
/** Looks for a second message all that time, and finds none. */
const staysAlone = async (origin: string, to: string) => {
  for (const until = Date.now() + LONGER; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 250)))
    expect(await messagesTo(origin, to)).toHaveLength(1);
};

test('SMS: the counter reads that it is not known, nothing is repeated by itself, and Send again sends another', async ({
  page,
  hatchway,
  company,
  act,
  say,
  standAtDoor,
}) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const tlf = someNumber();
  const lot = await standAtDoor(cabinet, tlf);
  await act.press(openButton(page, say));
  await once(() => cabinet.virtual.act({ do: 'put', door: lot.compartment, what: 'Parcel 77' }));
  await cabinet.virtual.act({ do: 'close', door: lot.compartment });
  await expect(page.getByText(say('liesIn', { tag: lot.doorTag }))).toBeVisible();

  await loseAnswer(hatchway.origin, 'sms', tlf);
  await act.press(page.getByRole('button', { name: say('notify'), exact: true }));
  await expect(page.getByRole('heading', { name: 'We do not know whether the message went out' })).toBeVisible();
  await expect(page.getByText(say('notified', { name: 'Ingrid Solberg' }))).toHaveCount(0);
  await staysAlone(hatchway.origin, tlf);

  await act.press(page.getByRole('button', { name: 'Send again' }));
  await expect(page.getByRole('heading', { name: say('notified', { name: 'Ingrid Solberg' }) })).toBeVisible();
  const sent = (await messagesTo(hatchway.origin, tlf, { least: 2 })) as { ref?: string | null }[];
  expect(sent).toHaveLength(2);
  expect(new Set(sent.map((one) => one.ref)).size, 'each message has a reference of its own').toBe(2);
});

test('mail: the same, under a Message-ID of its own', async ({ page, hatchway, company, act, say, enter }) => {
  const cabinet = await company.cabinet({ doors: 2 });
  const [lot] = cabinet.lockers;
  if (!lot) throw new Error('no locker');
  const email = `ingrid-${randomUUID().slice(0, 8)}@e2e.test`;
  const made = await waiting(company, lot, { name: 'Ingrid Solberg', email });
  await enter(company.admin.email, `/portal/services/manageoccupation?id=${made.id}`);
  await loseAnswer(hatchway.origin, 'mail', email);
  await act.press(page.getByRole('button', { name: say('notify'), exact: true }));
  const list = page.getByRole('list', { name: 'Messages' });
  await expect(list.getByText('Not known')).toBeVisible();
  await staysAlone(hatchway.origin, email);
  expect(await company.admin.api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({ stageName: 'CONTACTING' });

  await act.press(list.getByRole('button', { name: 'Send again' }));
  await expect(page.getByRole('main').getByText('Message sent', { exact: true })).toBeVisible();
  const sent = await messagesTo(hatchway.origin, email, { least: 2 });
  expect(new Set(sent.map((one) => one.messageId)).size).toBe(2);
});
