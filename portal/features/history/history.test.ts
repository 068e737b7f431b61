import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import { history } from '../../i18n/en/history.ts';
import { besideOf, saidOf, wordOf } from './said.ts';
import { merged } from './timeline.tsx';
import { historyQuestion } from './question.ts';
import { daysTurned, parseHistorySearch } from './search.ts';
import { typesOf } from './words.ts';

describe('history’s question', () => {
  test('nothing set asks for everything', () => {
    expect(historyQuestion(parseHistorySearch({}))).toEqual({});
  });
  test('a group asks for its events, an event for itself, nonsense for all', () => {
    expect(historyQuestion({ kind: 'payment' })).toEqual({ type: { $in: typesOf('payment') } });
    expect(typesOf('payment')).toHaveLength(5);
    expect(historyQuestion({ kind: 'locker_opened' })).toEqual({ type: 'locker_opened' });
    expect(historyQuestion({ kind: 'drop table' })).toEqual({});
  });
  test('days are whole local days, the last one included', () => {
    const { at } = historyQuestion({ from: '2026-03-28', to: '2026-03-29' }) as { at: { $gte: string; $lt: string } };
    expect(new Date(at.$gte)).toEqual(new Date(2026, 2, 28));
    expect(new Date(at.$lt)).toEqual(new Date(2026, 2, 30));
  });
  test('a day is the company’s, whatever the browser’s clock says, and as long as it is there', () => {
    expect(historyQuestion({ from: '2026-03-29', to: '2026-03-29' }, 'Europe/Oslo')).toEqual({
      at: { $gte: '2026-03-28T23:00:00.000Z', $lt: '2026-03-29T22:00:00.000Z' },
    });
    expect(historyQuestion({ from: '2026-10-25', to: '2026-10-25' }, 'America/New_York')).toEqual({
      at: { $gte: '2026-10-25T04:00:00.000Z', $lt: '2026-10-26T04:00:00.000Z' },
    });
  });
  test('days may be the wrong way round', () => {
    const turned = (from?: string, to?: string) => daysTurned(parseHistorySearch({ from, to }));
    expect(turned('2026-03-29', '2026-03-28')).toBe(true);
    expect([turned('2026-03-28', '2026-03-28'), turned('2026-03-28'), turned(undefined, '2026-03-28'), turned()]).toEqual(
      Array(4).fill(false),
    );
  });
  test('words are searched for', () => {
    expect(historyQuestion(parseHistorySearch({ find: 'kari 12' }))).toEqual({ $text: 'kari 12' });
  });
  test('door and person narrow it', () => {
    expect(historyQuestion(parseHistorySearch({ door: 1042, who: 'abc' }))).toEqual({ doorTag: { $in: ['1042'] }, actorId: 'abc' });
    expect(historyQuestion(parseHistorySearch({ door: 'a07' }))).toEqual({ doorTag: { $in: ['a07', 'A07'] } });
  });
  test('so do the hour, the service and the currency of a figure; what is none of them does not', () => {
    const asked = (raw: Record<string, unknown>) => historyQuestion(parseHistorySearch(raw));
    expect(asked({ hour: 0, service: 'selfservice', currency: 'NOK' })).toEqual({ hour: 0, service: 'selfservice', currency: 'NOK' });
    expect(asked({ hour: 24, service: 'laundry' })).toEqual({});
  });
});

describe('what is said beside an event', () => {
  const english = async () => {
    const i18n = createInstance();
    await i18n.init({ lng: 'en', resources: { en: { translation: { history } } } });
    return i18n.t;
  };
  const say = async (data: Record<string, unknown>) => besideOf({ type: 'locker_opened', data }, await english());
  test('is for whom staff acted, who did not have it themselves', async () => {
    const t = await english();
    const letIn = { type: 'occupation_assigned', data: { staff: true, receiver: 'Ola' } };
    expect([wordOf(letIn, t), besideOf(letIn, t)]).toEqual(['Content assigned to user', 'for Ola']);
    expect(besideOf({ type: 'occupation_claimed', data: { staff: true, receiver: 'Ola' } }, t)).toBe('for Ola');
    expect(besideOf({ type: 'occupation_assigned', data: { staff: true } }, t)).toBe('');
  });
  test('is how many pieces it was about, and for whom they were taken', async () => {
    const t = await english();
    const taken = { type: 'occupation_claimed', data: { staff: true, receiver: 'Ola', quantity: 3 } };
    expect([besideOf(taken, t), saidOf(taken, t)]).toEqual(['for Ola · 3 pieces', 'for Ola · 3 pieces']);
    expect(besideOf({ type: 'occupation_consumed', data: { quantity: 1 } }, t)).toBe('1 piece');
  });
  test('is one word for a jam, whether the controller said it or whoever stood there', async () => {
    expect(await say({ code: 'jammed' })).toBe('the door is jammed');
    expect(await say({ report: 'jammed' })).toBe('Reported: the door is jammed');
    expect(await say({ code: 'door-not-seen-open' })).toBe('the lock let go, but no sensor saw the door open');
    expect(await say({ alert: 'forced' })).toBe('forced open');
  });
  test('is what the alarm of a cabinet is about', async () => {
    const t = await english();
    const alarm = { type: 'locker_alarm', data: { cabinet: 'Wall', alert: 'tamper' } };
    expect([wordOf(alarm, t), besideOf(alarm, t)]).toEqual(['Cabinet alarm', 'tampered with']);
  });
  test('calls no locker empty by a word that its sensor denied', async () => {
    const t = await english();
    const denied = { type: 'locker_empty', data: { denied: true } };
    expect([wordOf(denied, t), besideOf(denied, t)]).toEqual(['Reported empty', 'its sensor still senses something']);
    expect(wordOf({ type: 'locker_empty', data: {} }, t)).toBe('Locker empty');
    // Whoever ends a storage says that it is empty, not that they took something out.
    expect(wordOf({ type: 'occupation_claimed', data: { saidEmpty: true } }, t)).toBe('Reported empty');
  });
  test('is whose word it is that a door moved, where no sensor saw it', async () => {
    const t = await english();
    const told = (type: string) => {
      const event = { type, data: { by: 'controller', seen: false } };
      return [wordOf(event, t), besideOf(event, t)];
    };
    expect(told('locker_opened')).toEqual(['Door opened, its controller says', 'no sensor saw it happen']);
    expect(told('locker_locked')).toEqual(['Door locked, its controller says', 'no sensor saw it happen']);
    expect(await say({ why: 'seen-later' })).toBe('its sensor saw it only then; its controller had said so before');
  });
  test('is why a locker was taken out of service', async () => {
    const t = await english();
    const out = { type: 'locker_out_of_service', data: { reason: 'hinge' } };
    expect([wordOf(out, t), besideOf(out, t)]).toEqual(['Taken out of service', 'Reason: hinge']);
    expect(wordOf({ type: 'locker_back_in_service', data: {} }, t)).toBe('Back in service');
  });
  test('is until when it was extended, beside what else was changed', async () => {
    const t = await english();
    const [was, pickupBy] = [new Date(2026, 10, 26, 14).toISOString(), new Date(2026, 10, 28, 14).toISOString()];
    const told = (data: Record<string, unknown>) => {
      const event = { type: 'occupation_amended', data };
      return [wordOf(event, t), besideOf(event, t), saidOf(event, t)];
    };
    expect(told({ fields: ['pickupBy'], pickupBy, was })).toEqual(['Extended until 28.11.2026 14:00:00', '', '']);
    expect(told({ fields: ['dueAt'], dueAt: was, was: pickupBy })).toEqual(['New deadline: 26.11.2026 14:00:00', '', '']);
    // Written down before the earlier time was: nobody knows whether it was later.
    expect(told({ fields: ['pickupBy'], pickupBy })).toEqual(['New deadline: 28.11.2026 14:00:00', '', '']);
    const both = 'Extended until 28.11.2026 14:00:00';
    const corrected = `${both} · Receiver corrected`;
    expect(told({ fields: ['receiver', 'pickupBy'], pickupBy, was })).toEqual(['Details changed', corrected, corrected]);
    const price = { amount: 123_450, currency: 'NOK' };
    expect(told({ fields: ['price'], price })[1]).toMatch(/^Price: NOK\s1,234\.50$/);
    expect(told({ fields: ['note'] })).toEqual(['Details changed', '', '']);
  });
  test('is that nobody said it, and nothing where there is nothing to say', async () => {
    expect(await say({ assumed: true, quantity: 2 })).toBe('assumed');
    expect(await say({ quantity: 2, code: 'expired' })).toBe('');
  });
});

describe('a timeline', () => {
  const at = (second: number) => `2026-11-21T12:00:0${second}.000Z`;
  const actor = { kind: 'person' as const, id: null, name: 'Kari' };
  const event = (id: string, second: number) => ({
    id, tenantId: 't', type: 'occupation_filled', at: at(second), actor, lockerId: null, doorTag: null, occupationId: null, paymentId: null,
    assetId: null, data: {},
  }); // prettier-ignore
  const message = (id: string, second: number) => ({
    id, tenantId: 't', occupationId: null, cause: 'ready', kind: 'ready' as const, channel: 'sms' as const, to: '+47…11', state: 'accepted' as const, error: null,
    messageId: '', providerRef: null, notBefore: null, createdAt: at(second), updatedAt: at(9),
  }); // prettier-ignore
  test('tells messages where they were written, after what led to them', () => {
    const story = merged([event('filled', 1), event('taken', 5)], [message('reminder', 4), message('ready', 1)]);
    expect(story.map(({ id }) => id)).toEqual(['filled', 'ready', 'reminder', 'taken']);
  });
  test('tells what happened at one moment in its order, also where the newest was given first', () => {
    expect(merged([event('3', 2), event('2', 1), event('1', 1)], []).map(({ id }) => id)).toEqual(['1', '2', '3']);
  });
});
