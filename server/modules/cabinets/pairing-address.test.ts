import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPlainBroker } from '../../devices/test-harness.ts';
import { testCompany } from '../../test-company.ts';
import { testServer } from '../../test-server.ts';

let broker: Awaited<ReturnType<typeof startPlainBroker>>;
beforeAll(async () => {
  broker = await startPlainBroker();
});
afterAll(() => broker.close());

/** The whole answer to a controller that pairs, where the operator's broker is another than the one in the process. */
const paired = async (mqttPublicUrl: string | null): Promise<string> => {
  const mqttUrl = broker.url.replace('://', '://hatchway:the-operators-own@');
  const server = await testServer({ config: { mqttUrl, mqttPublicUrl } });
  try {
    const { api } = await (await testCompany(server)).person(['admin']);
    const site = await api('POST /sites', { body: { name: 'Depot' } });
    const { id } = await api('POST /cabinets', { body: { siteId: site.id, name: 'North wall', columns: [] } });
    const { code } = await api('POST /cabinets/{id}/pair', { params: { id } });
    return JSON.stringify(await server.as(null)('POST /devices/pair', { body: { code, fw: '1.0', model: 'test' } }));
  } finally {
    await server.stop();
  }
};

it('a controller is told where the broker is, and never the login that Hatchway itself has there', async () => {
  const answer = await paired(null);
  expect(answer).toContain(`"mqttUrl":"${broker.url}"`);
  expect(answer).not.toContain('the-operators-own');
});

it('an address for controllers counts for a broker outside too', async () =>
  expect(await paired('mqtts://lockers.example.com:8883')).toContain('"mqttUrl":"mqtts://lockers.example.com:8883"'));
