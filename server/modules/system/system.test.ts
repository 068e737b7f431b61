import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let admin: TestPerson;
let other: TestPerson;
let tenant: string;
beforeAll(async () => {
  server = await testServer();
  const ours = await testCompany(server);
  tenant = ours.id;
  admin = await ours.person(['admin']);
  other = await (await testCompany(server)).person(['admin']);
});
afterAll(() => server.stop());

const state = (who = admin) => who.api('GET /system');

describe('the state of the system', () => {
  it('says what is there, for the company that asks', async () => {
    const cabinet = await testCabinet(server, admin.api, 1);
    try {
      expect(await state()).toMatchObject({ database: true, broker: true, cabinets: { total: 1, online: 1, unpaired: 0 } });
      expect(await state(other)).toMatchObject({ cabinets: { total: 0, online: 0, unpaired: 0 } });
      await cabinet.cut();
      await expect.poll(async () => (await state()).cabinets.online).toBe(0);
    } finally {
      cabinet.end();
    }
  });

  it('says that mail goes nowhere, and what became of the last', async () => {
    expect((await state()).mail.ready).toBe(false);
    // the first administrator's invitation
    await expect.poll(async () => (await state()).mail.failedToday).toBe(1);
    await admin.api('POST /companies/{tenant}/invitations', { params: { tenant }, body: { email: 'somebody@example.test' } });
    await expect.poll(async () => (await state()).mail).toMatchObject({ failedToday: 2, lastError: 'mail is not set up' });

    expect(await state()).toMatchObject({ jobs: { late: 0 } });
  });
});
