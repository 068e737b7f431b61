import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deviceTopics, type CmdMessage, type ControllerRef } from '@hatchway/contract/devices.ts';
import { PACE } from '../pace.ts';
import { newController, nowIso, speaker, startHarness, until, type Harness } from './test-harness.ts';

/** Two controllers with one credential: each login puts the other one out. */

const pace = { ...PACE, calmMs: 120_000 };
let harness: Harness;
let ref: ControllerRef;
const commands: CmdMessage[] = [];
beforeEach(async () => {
  pace.calmMs = 120_000;
  commands.length = 0;
  ref = newController();
  harness = await startHarness({ pace });
});
afterEach(() => harness.close());

const comes = async () => {
  const session = randomUUID();
  const payload = Buffer.from(JSON.stringify({ online: false, session, reason: 'lost', ts: nowIso() }));
  const client = await harness.client(ref, { will: { topic: deviceTopics.lwt(ref), payload, qos: 1, retain: true } });
  const said = speaker(client, ref, session);
  client.on('message', (_topic, body) => {
    const command = JSON.parse(body.toString()) as CmdMessage;
    commands.push(command);
    if (command.op === 'status') void said.lwt(true);
    if (command.op === 'open') void said.ack(command.cmdId, 'opened');
  });
  await client.subscribeAsync(deviceTopics.cmd(ref), { qos: 1 });
  await said.birth();
  await said.lwt(true);
  return { client, said };
};
const open = () => harness.devices.doors.open({ ...ref, compartment: 1, commandId: randomUUID() });
const reasons = () => harness.of('connection', ref).map(({ online, reason }) => (online ? 'online' : reason));

describe('two controllers with one credential', () => {
  test('are noticed at the fifth take-over and told once; nothing is sent, and of doors nothing is heard', async () => {
    for (let login = 0; login < 5; login += 1) await comes();
    await until(() => harness.facts.filter(({ kind }) => kind === 'birth').length === 5);
    expect(reasons()).not.toContain('two-controllers');
    await comes();
    await until(() => reasons().includes('two-controllers'));
    await comes();
    await comes();
    expect(await open()).toMatchObject({ outcome: 'offline' });
    expect(commands.filter(({ op }) => op === 'open')).toEqual([]);
    const last = await comes();
    await last.said.state('open');
    await last.said.event('tamper');
    await until(() => harness.of('event', ref).length === 1);
    expect(harness.of('door', ref)).toEqual([]);
    expect(reasons().filter((reason) => reason === 'two-controllers')).toHaveLength(1);
    expect(reasons().at(-1)).toBe('two-controllers');
  });

  test('are one again once none has thrown out the other for long enough', async () => {
    pace.calmMs = 3_000;
    for (let login = 0; login < 6; login += 1) await comes();
    await until(() => reasons().includes('two-controllers'));
    await until(() => reasons().at(-1) === 'online');
    expect(await open()).toMatchObject({ outcome: 'opened' });
  });

  test('are one again once the cabinet is paired anew', async () => {
    for (let login = 0; login < 6; login += 1) await comes();
    await until(() => reasons().includes('two-controllers'));
    harness.passwords.delete(`${ref.tenantId}/${ref.controllerId}`);
    harness.devices.kick(ref.controllerId);
    await comes();
    await until(() => reasons().at(-1) === 'online');
    expect(await open()).toMatchObject({ outcome: 'opened' });
  });

  test('are not seen in one controller whose line is cut again and again', async () => {
    for (let login = 0; login < 10; login += 1) {
      const { client } = await comes();
      const closed = new Promise((resolve) => client.once('close', () => resolve(null)));
      client.stream.destroy();
      await closed;
      await until(() => harness.devices.facts.online(ref) === false);
    }
    await comes();
    await until(() => harness.devices.facts.online(ref) === true);
    expect(reasons()).not.toContain('two-controllers');
    expect(await open()).toMatchObject({ outcome: 'opened' });
  });
});
