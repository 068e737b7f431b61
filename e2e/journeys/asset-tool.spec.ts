import { randomUUID } from 'node:crypto';
import { expect, someNumber, test } from '../services.ts';

type Book = { apiKey: string; address: string };
type Thing = { id: number; name: string; tag: string };
type Asked = { id: number };

/** The sandbox's pages, as somebody presses their buttons; what goes wrong there is bound to one thing, since every company's journeys share it. */
const sandbox =
  (origin: string, part: 'assets' | 'woo') =>
  async <T>(path: string, body?: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/sandbox/${part}/${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
    return (await answer.json()) as T;
  };

// shows R2.14, R1.12, R2.45
test('what the asset tool was asked for is handed out and comes back, with the tool away in the middle; a delivery walks its steps and a webshop’s', async ({
  page,
  company,
  hatchway: { origin },
  act,
  say,
  enter,
  counter,
}) => {
  const { api } = company.admin;
  const cabinet = await company.cabinet({ doors: 3 });
  const tool = sandbox(origin, 'assets');
  const { apiKey, address } = await tool<Book>('books');
  const mark = randomUUID().slice(0, 8);
  const tlf = someNumber();
  const person = `Ingrid ${mark}`;
  const thing = await tool<Thing>('assets', { name: `Drill ${mark}`, tag: `T-${mark}` });
  const asked = await tool<Asked>('requests', { what: 'For concrete', assetId: thing.id, name: person, tlf });
  const known = async () => {
    const [one] = await api('GET /assets', { query: { q: { $text: mark } } });
    if (!one?.tool) throw new Error('the asset is not known');
    return { ...one, tool: one.tool };
  };
  const panel = page.getByRole('region', { name: 'TCM', exact: true });

  const shop = `${origin}/sandbox/woo/shop`;
  const order = await sandbox(origin, 'woo')<{ number: string }>('orders', {
    firstName: 'Kari',
    lastName: mark,
    phone: '91234567',
    lines: [{ name: 'Boots', quantity: 1 }],
  });
  await api('POST /integrations/{kind}', { params: { kind: 'woo' }, body: { settings: { url: shop } } });
  const approval = new URL((await api('GET /woo/url')).url);
  const { nonce } = (await (await fetch(`${shop}/wc-auth/v1/nonce`)).json()) as { nonce: string };
  approval.pathname = approval.pathname.replace(/authorize$/, 'access_granted');
  approval.searchParams.set('wc_auth_nonce', nonce);
  expect((await fetch(approval, { redirect: 'manual' })).status).toBe(302);
  await expect.poll(async () => (await api('GET /orders', { query: { q: { $text: mark } } })).length).toBe(1);

  await test.step('it is connected, and what it has is there', async () => {
    await enter(company.admin.email, '/portal/admin?section=integrations');
    await panel.getByLabel(say('integrations.fields.url'), { exact: true }).fill(address);
    await panel.getByLabel(say('integrations.fields.apiKey'), { exact: true }).fill(apiKey);
    await act.press(panel.getByRole('button', { name: say('common.save'), exact: true }));
    await act.press(panel.getByRole('button', { name: say('integrations.tool.test'), exact: true }));
    await expect(panel.getByText(say('integrations.state.active'), { exact: true })).toBeVisible();
    await expect(panel.getByText(say('integrations.differs.none'))).toBeVisible();
    await counter.go(`/manage/assets?find=${mark}`);
    await expect(page.getByRole('row').filter({ hasText: thing.name })).toContainText(say('assets.sources.tcm'));
  });

  const door = await test.step('picked in self-service, the request brings the thing and who wants it', async () => {
    await counter.go('/services/selfservice');
    await counter.stands(say('selfservice'), 1, 6);
    await counter.field(say('occupations.request.label')).fill(person);
    const request = page.getByRole('button', { name: new RegExp(person) });
    await act.press(request);
    await expect(request).toHaveAttribute('aria-pressed', 'true');
    await counter.next();
    await expect(counter.field(say('asset'))).toHaveValue(thing.name);
    await counter.next();
    // it is no order's
    await counter.stands(say('selfservice'), 3, 6);
    await counter.next();
    await expect(counter.field(say('name'))).toHaveValue(person);
    await expect(counter.field(say('tlf'))).toHaveValue(tlf);
    await counter.next();
    await counter.next();
    await counter.stands(say('selfservice'), 6, 6);
    return counter.open(cabinet);
  });

  await test.step('put in while the tool is away, it is delivered all the same, and told there later', async () => {
    await tool('faults', { kind: 'outage', times: 2, reference: thing.tag });
    await door.seesItOpen();
    await door.put('Drill');
    await door.close();
    await expect(counter.heading(say('liesIn', { tag: door.doorTag }))).toBeVisible();
    await act.press(counter.button(say('notify')));
    await expect(counter.heading(say('notified', { name: person }))).toBeVisible();
    const { _id } = await known();
    await counter.go(`/manage/assets/${_id}`);
    await expect(page.getByText(say('assets.tool.told.waiting'))).toBeVisible();
    const params = { kind: 'tcm', _id: (await api('GET /integrations', { query: { q: { kind: 'tcm' } } }))[0]?._id ?? '' };
    await expect
      .poll(async () => {
        await api('POST /integrations/{kind}/{_id}/sync', { params, body: {} });
        return (await known()).tool;
      })
      .toMatchObject({ state: 'out', holder: person, told: { kind: 'check-out', state: 'done' } });
    await expect(page.getByText(say('assets.tool.states.out'), { exact: true })).toBeVisible();
    // It is the tool's, and changed there.
    await expect(page.getByRole('link', { name: say('assets.tool.open') })).toHaveAttribute('href', new RegExp(`/hardware/${thing.id}$`));
    await expect(page.getByLabel(say('assets.name'), { exact: true })).toBeDisabled();
    const { requests } = await tool<{ requests: (Asked & { state: string })[] }>('books');
    expect(requests.find(({ id }) => id === asked.id)?.state).toBe('handed-out');
    expect(await api('GET /asset-requests', { query: { q: { $text: mark } } })).toEqual([]);
  });

  await test.step('fetched, recalled and taken out by staff, it is in again there', async () => {
    const [out] = await api('GET /occupations', { query: { q: { service: 'selfservice' } } });
    await api('PUT /occupations/assign', { body: { action: 'claim', id: out?.id ?? '' } });
    await api('PUT /occupations', { body: { action: 'finnish', id: out?.id ?? '' } });
    const { _id: assetId } = await known();
    await expect(page.getByText(say('assets.outThere'))).toBeVisible();
    await act.press(counter.button(say('assets.takeBack')));
    await expect(counter.field(say('name'))).toHaveValue(person);
    await expect(counter.field(say('tlf'))).toHaveValue(tlf);
    await counter.go(`/manage/assets/${assetId}`);
    const other = cabinet.lockers.find(({ id }) => id !== door.id);
    const receiver = { name: person, tlf };
    const back = await api('POST /occupations', { body: { type: 'recall', lockerId: other?.id ?? '', assetId, receiver } });
    await api('PUT /occupations', { body: { action: 'fill', id: back.id } });
    expect((await known()).tool).toMatchObject({ state: 'out' });
    await api('PUT /occupations/assign', { body: { action: 'claim', id: back.id } });
    await api('PUT /occupations', { body: { action: 'finnish', id: back.id } });
    await expect(page.getByText(say('assets.tool.tellings.check-in'))).toBeVisible();
    await expect(page.getByText(say('assets.tool.states.available'), { exact: true })).toBeVisible();
    await counter.go('/admin?section=integrations');
    await expect(panel.getByText(say('integrations.differs.none'))).toBeVisible();
  });

  await test.step('a delivery walks the steps of a connected asset tool and webshop', async () => {
    const saw = await tool<Thing>('assets', { name: `Saw ${mark}`, tag: `S-${mark}` });
    await tool('requests', { what: 'For planks', assetId: saw.id, name: `Ola ${mark}`, tlf: someNumber() });
    // broken, by the tool
    await tool(`assets/${saw.id}`, { condition: 4 });
    const [connected] = await api('GET /integrations', { query: { q: { kind: 'tcm' } } });
    await api('POST /integrations/{kind}/{_id}/sync', { params: { kind: 'tcm', _id: connected?._id ?? '' }, body: {} });

    await counter.go('/services/delivery');
    await counter.stands(say('delivery'), 1, 6);
    await counter.field(say('occupations.request.label')).fill(mark);
    await act.press(page.getByRole('button', { name: new RegExp(`Ola ${mark}`) }));
    await counter.next();
    await expect(counter.field(say('asset'))).toHaveValue(saw.name);
    const notToBeLent = page.getByRole('alert').filter({ hasText: say('occupations.asset.notLendableThere') });
    await expect(notToBeLent).toContainText(saw.name);
    await counter.next();
    await counter.stands(say('delivery'), 3, 6);
    await counter.field(say('occupations.order.label')).fill(mark);
    await act.press(page.getByRole('button', { name: new RegExp(`Kari ${mark}`) }));
    await counter.next();
    await expect(counter.field(say('name'))).toHaveValue(`Kari ${mark}`);
    await counter.next();
    await counter.next();
    await counter.stands(say('delivery'), 6, 6);
    await expect(notToBeLent).toContainText(saw.name);
    await expect(page.getByRole('main')).toContainText(order.number);
    await expect(page.getByRole('main')).toContainText(saw.name);
  });
});
