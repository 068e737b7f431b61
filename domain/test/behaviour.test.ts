import { describe, expect, it } from 'vitest';
import { isOverdue } from '../deadlines.ts';
import { allowedActions } from '../offered.ts';
import { claimAfterOutage, transition } from '../transition.ts';
import { register } from '../register.ts';
import type {
  Answer,
  Changed,
  Command,
  Context,
  Occupation,
  RegisterContext,
  RegisterInput,
  Capacity,
  TargetLocker,
} from '../occupation-types.ts';
import { OCCUPATION_TYPES, SERVICES, STAGES, type OccupationType } from '../terms.ts';
import { HOLDER, NOW, STAFF, context, minutes, occupationIn } from './samples.ts';

const { RESERVED, INITIATED, FILLED, ACQUIRABLE, CONTACTED, CLAIMING, VACANT, TERMINATED } = STAGES;

function done(o: Occupation, command: Command, ctx: Partial<Context> = {}): Changed {
  const answer = transition(o, command, context(ctx));
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer;
}
function code(answer: Answer): string {
  return answer.ok ? 'ok' : answer.refusal.code;
}
const tried = (o: Occupation, command: Command, ctx: Partial<Context> = {}): string => code(transition(o, command, context(ctx)));
const contentOf = (answer: Changed): unknown => answer.effects.find((effect) => effect.kind === 'content');
const kinds = (answer: Changed): readonly string[] => answer.effects.map((effect) => effect.kind);

describe('clocks', () => {
  it('fills by itself 5 s after the door closed, not before, not against a sensor, not with the door open again', () => {
    const opened = done(occupationIn(RESERVED, 'delivery'), { kind: 'door-opened', named: true }).occupation;
    const closed = done(opened, { kind: 'door-closed' });
    expect(closed.effects).toEqual([{ kind: 'look-again', command: 'fill', at: '2026-03-02T12:00:05.000Z' }]);
    const at = (now: string, more: Partial<Context> = {}): string =>
      tried(closed.occupation, { kind: 'fill' }, { as: 'server', now, ...more });
    expect(at('2026-03-02T12:00:04.999Z')).toBe('not-yet');
    expect(at('2026-03-02T12:00:05.000Z', { sensed: 'empty' })).toBe('not-yet');
    expect(at('2026-03-02T12:00:05.000Z')).toBe('ok');
    const again = done(closed.occupation, { kind: 'door-opened', named: true }).occupation;
    expect(tried(again, { kind: 'fill' }, { as: 'server', now: minutes(1) })).toBe('not-yet');
  });

  it('believes a sensor that bears witness 2 s after the door closed, whether something came or went', () => {
    const begun = occupationIn(INITIATED, 'delivery', { doorOpenedAt: minutes(-1) });
    const claim = occupationIn(CLAIMING, 'delivery', { doorOpenedAt: minutes(-1) });
    const looks = (o: Occupation, more: Partial<Context>) =>
      done(o, { kind: 'door-closed' }, { sensedSince: NOW, ...more }).effects.map((one) => 'at' in one && one.at);
    const gone: Partial<Context> = { sensed: 'empty', sensedSince: NOW, sensedBefore: 'occupied' };
    expect(looks(begun, { sensed: 'occupied' })).toEqual(['2026-03-02T12:00:02.000Z']);
    expect(looks(claim, gone)).toEqual(['2026-03-02T12:00:02.000Z']);
    expect(looks(claim, { sensed: 'empty' })).toEqual(['2026-03-02T12:00:30.000Z']);
    const fills = (now: string, more: Partial<Context> = {}) =>
      tried({ ...begun, doorClosedAt: NOW }, { kind: 'fill' }, { as: 'server', now, sensed: 'occupied', sensedSince: NOW, ...more });
    const ends = (now: string, more: Partial<Context> = {}, o: Partial<Occupation> = {}) =>
      tried({ ...claim, doorClosedAt: NOW, ...o }, { kind: 'finnish' }, { as: 'server', now, ...gone, ...more });
    expect(ends('2026-03-02T12:00:01.999Z')).toBe('not-yet');
    expect(ends('2026-03-02T12:00:02.000Z')).toBe('ok');
    expect(ends('2026-03-02T12:00:29.999Z', { doubt: 'left-open' })).toBe('not-yet');
    expect(ends(minutes(1), { spoken: true })).toBe('not-yet');
    expect(ends(minutes(1), {}, { doorClosedAt: null })).toBe('not-yet');
    expect(ends(minutes(1), { rules: { ...context().rules, staffConfirmsClaim: true } })).toBe('not-yet');
    // It came back into the hand's beam, or never left: put back after the whole time, and not before.
    const putBack = (now: string) => tried({ ...claim, doorClosedAt: NOW }, { kind: 'return' }, { as: 'server', now, sensed: 'occupied' });
    expect([putBack('2026-03-02T12:00:29.999Z'), putBack('2026-03-02T12:00:30.000Z')]).toEqual(['not-yet', 'ok']);
    expect(fills('2026-03-02T12:00:01.999Z')).toBe('not-yet');
    expect(fills('2026-03-02T12:00:02.000Z')).toBe('ok');
    expect(fills('2026-03-02T12:00:02.000Z', { sensed: null })).toBe('not-yet');
    expect(fills(minutes(1), { doubt: 'still-sensed' })).toBe('not-yet');
  });

  it('fills by itself nothing that was opened and shut unheard, save where a sensor senses it', () => {
    const opened = done(occupationIn(RESERVED, 'drop-off'), { kind: 'door-opened', named: true }).occupation;
    const closed = done(opened, { kind: 'door-closed' }, { wasSilent: true });
    expect(closed.effects).toEqual([{ kind: 'content', lockerId: opened.lockerId, content: 'unknown', why: 'silent' }]);
    const at = (more: Partial<Context>) => tried(closed.occupation, { kind: 'fill' }, { now: minutes(1), ...more });
    expect(at({ as: 'server', doubt: 'silent' })).toBe('not-yet');
    // whoever was there may say it
    expect(at({ as: 'holder', openedByHolder: true, doubt: 'silent' })).toBe('ok');
    expect(done(opened, { kind: 'door-closed' }, { wasSilent: true, sensed: 'empty' }).effects).toEqual([]);
    expect(kinds(done(opened, { kind: 'door-closed' }, { wasSilent: true, sensed: 'occupied' }))).toEqual(['look-again']);
  });

  it('says no number of pieces that nobody said', () => {
    const begun = occupationIn(INITIATED, 'consumable', { doorOpenedAt: minutes(-2), doorClosedAt: minutes(-1), refillLevel: 5 });
    const byClock = (quantity: number) => tried({ ...begun, quantity }, { kind: 'fill' }, { as: 'server' });
    expect([byClock(20), byClock(0)]).toEqual(['ok', 'not-yet']);
    // nor is it taken from who fills it and says no number: none is left, and none was planned
    const byHand = (quantity?: number) =>
      tried({ ...begun, quantity: 0 }, quantity === undefined ? { kind: 'fill' } : { kind: 'fill', quantity });
    expect([byHand(), byHand(3)]).toEqual(['quantity', 'ok']);
    expect(allowedActions({ ...begun, quantity: 0 }, context())).toContain('fill');
    // nor does a screen promise that it will
    const shut = (quantity: number) => kinds(done({ ...begun, quantity, doorClosedAt: null }, { kind: 'door-closed' }));
    expect([shut(20), shut(0)]).toEqual([['look-again'], []]);
  });

  it('finishes by itself after the grace, unless staff confirm; a storage never', () => {
    const claim = occupationIn(CLAIMING, 'delivery', { doorOpenedAt: minutes(-1) });
    const closed = done(claim, { kind: 'door-closed' });
    expect(closed.effects).toEqual([{ kind: 'look-again', command: 'finnish', at: '2026-03-02T12:00:30.000Z' }]);
    const server = { as: 'server' as const, now: '2026-03-02T12:00:30.000Z' };
    expect(tried(closed.occupation, { kind: 'finnish' }, { ...server, now: NOW })).toBe('not-yet');
    expect(tried(closed.occupation, { kind: 'finnish' }, server)).toBe('ok');
    const confirmed = { ...server, rules: { ...context().rules, staffConfirmsClaim: true } };
    expect(tried(closed.occupation, { kind: 'finnish' }, confirmed)).toBe('not-yet');
    expect(done(claim, { kind: 'door-closed' }, confirmed).effects).toEqual([]);
    expect(tried(occupationIn(ACQUIRABLE, 'storage'), { kind: 'finnish' }, server)).toBe('not-allowed');
  });

  it('whoever ends a storage says that its locker is empty; of anything else, that it was taken', () => {
    const saidEmpty = (type: 'storage' | 'delivery') =>
      done(occupationIn(CLAIMING, type, { doorOpenedAt: minutes(-1) }), { kind: 'finnish' }, { as: 'holder' }).events[0]?.data?.[
        'saidEmpty'
      ];
    expect([saidEmpty('storage'), saidEmpty('delivery')]).toEqual([true, undefined]);
  });

  it('who is let in by staff is named beside it, and whoever comes by themselves is the one who did it', () => {
    const dataOf = (answer: Changed) => answer.events[0]?.data;
    const [offered, claimed] = [occupationIn(ACQUIRABLE, 'delivery'), occupationIn(CLAIMING, 'delivery', { doorOpenedAt: minutes(-1) })];
    const byStaff = { staff: true, receiver: 'Ola' };
    expect(dataOf(done(offered, { kind: 'claim' }))).toEqual(byStaff);
    expect(dataOf(done(claimed, { kind: 'finnish' }))).toEqual(byStaff);
    // What was brought for staff they take out for themselves, whoever brought it.
    expect(dataOf(done({ ...offered, type: 'drop-off' }, { kind: 'claim' }))).toBeUndefined();
    expect(dataOf(done({ ...offered, receiver: null }, { kind: 'claim' }))).toEqual({ staff: true });
    expect(dataOf(done(offered, { kind: 'claim' }, { as: 'holder' }))).toBeUndefined();
    expect(dataOf(done(claimed, { kind: 'finnish' }, { as: 'holder' }))).toBeUndefined();
  });

  it('what silence alone came to is told apart from a word and from a sensor', () => {
    const told = (answer: Changed) => answer.events.filter(({ data }) => data?.['assumed'] === true).map(({ type }) => type);
    const claim = occupationIn(CLAIMING, 'delivery', { doorOpenedAt: minutes(-1), doorClosedAt: NOW });
    const grace = { as: 'server' as const, now: '2026-03-02T12:00:30.000Z' };
    expect(told(done(claim, { kind: 'finnish' }, grace))).toEqual(['occupation_claimed', 'occupation_delivered']);
    expect(told(done(claim, { kind: 'finnish' }, { ...grace, sensed: 'empty', sensedBefore: 'occupied' }))).toEqual([]);
    expect(told(done(claim, { kind: 'finnish' }, { as: 'holder' }))).toEqual([]);
    const shut = occupationIn(INITIATED, 'delivery', { doorOpenedAt: minutes(-1), doorClosedAt: NOW });
    expect(told(done(shut, { kind: 'fill' }, grace))).toEqual(['occupation_filled']);
    expect(told(done(shut, { kind: 'fill' }, { ...grace, sensed: 'occupied' }))).toEqual([]);
    expect(told(done(shut, { kind: 'fill' }, { as: 'staff' }))).toEqual([]);
    // Of stock it says how many too.
    const stock = occupationIn(CLAIMING, 'consumable', { doorOpenedAt: minutes(-1), doorClosedAt: NOW, quantity: 3, claimQuantity: 1 });
    expect(done(stock, { kind: 'finnish' }, grace).events.at(-1)?.data).toEqual({ quantity: 1, assumed: true });
  });

  it('silence never outweighs a sensor: what it still senses after the grace was put back', () => {
    const claim = occupationIn(CLAIMING, 'delivery', { doorOpenedAt: minutes(-1), doorClosedAt: NOW, resumeStage: CONTACTED });
    const back: Command = { kind: 'return' };
    const server = { as: 'server' as const, now: '2026-03-02T12:00:30.000Z', sensed: 'occupied' as const };
    expect(tried(claim, { kind: 'finnish' }, server)).toBe('not-yet');
    const put = done(claim, back, server);
    expect(put.occupation.stage).toBe(CONTACTED);
    expect(contentOf(put)).toMatchObject({ content: 'occupied', why: 'sensor' });
    expect(tried(claim, back, { ...server, now: NOW })).toBe('not-yet');
    expect(tried(claim, back, { ...server, sensed: 'empty' })).toBe('not-yet');
    expect(tried(claim, { kind: 'finnish' }, { ...server, as: 'holder' })).toBe('ok');
    // Of three pieces two may rightly lie there; of the last one none.
    const stock = occupationIn(CLAIMING, 'consumable', { doorOpenedAt: minutes(-1), doorClosedAt: NOW, quantity: 3, claimQuantity: 1 });
    expect(tried(stock, { kind: 'finnish' }, server)).toBe('ok');
    expect(tried({ ...stock, quantity: 1 }, { kind: 'finnish' }, server)).toBe('not-yet');
  });

  it('silence never takes what whoever was let in said is not there: neither by the clock nor after an outage', () => {
    const claim = occupationIn(CLAIMING, 'delivery', { doorOpenedAt: minutes(-1), doorClosedAt: NOW });
    const server = { as: 'server' as const, now: minutes(60), doubt: 'found-empty' as const };
    for (const more of [{}, { sensed: 'empty' as const }, { sensed: 'occupied' as const }, { wasSilent: true }])
      expect(tried(claim, { kind: 'finnish' }, { ...server, ...more })).toBe('not-yet');
    expect(tried(claim, { kind: 'return' }, { ...server, sensed: 'occupied' })).toBe('not-yet');
    expect(tried(claim, { kind: 'finnish' }, { ...server, doubt: 'left-open' })).toBe('ok');
    for (const as of ['holder', 'staff'] as const) expect(tried(claim, { kind: 'finnish' }, { ...server, as })).toBe('ok');
  });

  it('silence outweighs no word of staff who looked inside: neither taken nor filled by the clock', () => {
    const server = { as: 'server' as const, now: minutes(60) };
    const claim = occupationIn(CLAIMING, 'delivery', { doorOpenedAt: minutes(-1), doorClosedAt: NOW });
    const filling = occupationIn(INITIATED, 'delivery', { doorOpenedAt: minutes(-1), doorClosedAt: NOW });
    for (const [o, kind] of [
      [claim, 'finnish'],
      [filling, 'fill'],
    ] as const) {
      expect(tried(o, { kind }, server)).toBe('ok');
      expect(tried(o, { kind }, { ...server, spoken: true })).toBe('not-yet');
      expect(tried(o, { kind }, { ...server, as: 'staff', spoken: true })).toBe('ok');
    }
    expect(tried(claim, { kind: 'finnish' }, { ...server, spoken: true, wasSilent: true })).toBe('not-yet');
  });

  it('fails a claim after claimSeconds, and never once its door was seen open', () => {
    const claimed = done(occupationIn(ACQUIRABLE, 'delivery'), { kind: 'claim' }).occupation;
    const failed: Command = { kind: 'claim-failed', why: 'time' };
    expect(tried(claimed, failed, { now: '2026-03-02T12:01:59.999Z' })).toBe('not-yet');
    expect(tried(claimed, failed, { now: '2026-03-02T12:02:00.000Z' })).toBe('ok');
    expect(tried(claimed, failed, { now: minutes(60), opening: true })).toBe('not-yet');
    expect(tried(occupationIn(ACQUIRABLE, 'delivery'), { kind: 'claim' }, { as: 'holder', opening: true })).toBe('in-use');
    expect(tried(claimed, { kind: 'claim-failed', why: 'no-answer' }, { now: minutes(60), opening: true })).toBe('ok');
    const opened = done(claimed, { kind: 'door-opened', named: true }).occupation;
    expect(tried(opened, failed, { now: minutes(60) })).toBe('occupation-transition');
  });

  it('ends a reservation past its time, and lets it stand while the cabinet is offline', () => {
    const o = occupationIn(RESERVED, 'delivery', { reservedUntil: minutes(1) });
    expect(tried(o, { kind: 'expire-reservation' })).toBe('not-yet');
    expect(tried(o, { kind: 'expire-reservation' }, { now: minutes(1) })).toBe('ok');
    expect(tried(o, { kind: 'expire-reservation' }, { now: minutes(60), offline: [{ from: NOW, to: null }] })).toBe('not-yet');
    expect(tried(o, { kind: 'expire-reservation' }, { now: minutes(10), offline: [{ from: NOW, to: minutes(10) }] })).toBe('not-yet');
    expect(tried(o, { kind: 'expire-reservation' }, { now: minutes(11), offline: [{ from: NOW, to: minutes(10) }] })).toBe('ok');
  });

  it('archives after retention and erases whom it was for', () => {
    const ended = occupationIn(TERMINATED, 'delivery', { endedAt: NOW, note: 'ring twice', orderRef: 'Kari 7', externalRef: 'K-7' });
    expect(tried(ended, { kind: 'archive' }, { now: minutes(90 * 24 * 60 - 1) })).toBe('not-yet');
    const archived = done(ended, { kind: 'archive' }, { now: minutes(90 * 24 * 60) }).occupation;
    expect(archived).toMatchObject({ receiver: null, claimedBy: null, note: null, assetText: null, orderRef: null, externalRef: null });
  });
});

describe('what is believed of the content', () => {
  it.each([
    [RESERVED, undefined],
    [INITIATED, 'unknown'],
    [FILLED, 'unknown'],
    [CONTACTED, 'unknown'],
    [CLAIMING, 'unknown'],
    [VACANT, undefined],
  ] as const)('abort in stage %s: %s', (stage, content) => {
    const answer = done(occupationIn(stage, 'delivery'), { kind: 'delete' });
    expect((contentOf(answer) as { content?: string } | undefined)?.content).toBe(content);
  });
  it('a borrower who had the door open may have put it back: abort leaves it unknown', () => {
    const lost: Command = { kind: 'delete', reason: 'lost' };
    const opened = occupationIn(VACANT, 'lending', { doorOpenedAt: NOW });
    expect(contentOf(done(opened, lost, { openLoan: true }))).toMatchObject({ content: 'unknown', why: 'aborted' });
    expect(contentOf(done({ ...opened, doorOpenedAt: null }, lost, { openLoan: true }))).toBeUndefined();
  });
  it('a door that opened to be refilled, and nobody said what was put in: abort and start over leave it unknown, unless the sensor senses nothing', () => {
    const opened = occupationIn(VACANT, 'consumable', { doorOpenedAt: NOW });
    for (const kind of ['delete', 'reset'] as const) {
      expect(contentOf(done(opened, { kind }))).toMatchObject({ content: 'unknown' });
      expect(contentOf(done(opened, { kind }, { sensed: 'occupied' }))).toMatchObject({ content: 'unknown' });
      expect(contentOf(done(opened, { kind }, { sensed: 'empty' }))).toBeUndefined();
    }
    const target = { id: 'l2', doorTag: 'A2', free: true, outOfService: false, inDoubt: false, services: [] };
    const gone = done(opened, { kind: 'fill', lockerId: 'l2' }, { target });
    expect(gone.effects.filter((effect) => effect.kind === 'content')).toMatchObject([
      { lockerId: opened.lockerId, content: 'unknown' },
      { lockerId: 'l2', content: 'occupied' },
    ]);
  });
  it('take out and end leaves it empty', () => {
    const out = done(occupationIn(CONTACTED, 'delivery'), { kind: 'extract' });
    expect(contentOf(out)).toMatchObject({ content: 'empty', why: 'taken-out' });
    expect(contentOf(done(out.occupation, { kind: 'delete' }))).toBeUndefined();
  });
  it('a claim that a silent cabinet hid, and one that the sensor denies, leave it unknown', () => {
    const claim = occupationIn(CLAIMING, 'delivery', { doorOpenedAt: minutes(-1), doorClosedAt: minutes(-1) });
    expect(contentOf(done(claim, { kind: 'finnish' }))).toMatchObject({ content: 'empty' });
    expect(contentOf(done(claim, { kind: 'finnish' }, { as: 'server', wasSilent: true }))).toMatchObject({
      content: 'unknown',
      why: 'silent',
    });
    // It sensed nothing before either, or cannot be heard and sensed it last.
    const shut = { as: 'server', now: minutes(1) } as const;
    const assumed = (more: Partial<Context>) => done(claim, { kind: 'finnish' }, { ...shut, ...more }).events[0]?.data?.['assumed'];
    const gone = { sensed: 'empty', sensedBefore: 'occupied' } as const;
    expect([assumed(gone), assumed({ sensed: 'empty' }), assumed({})]).toEqual([undefined, true, true]);
    const why = (more: Partial<Context>) => contentOf(done(claim, { kind: 'finnish' }, { ...shut, ...more }));
    for (const [more, said] of [
      [gone, 'taken'],
      [{ sensed: 'empty' }, 'assumed-taken'],
      [{ sensed: 'empty', sensedBefore: 'empty' }, 'assumed-taken'],
      [{}, 'assumed-taken'],
      [{ as: 'holder' }, 'taken'],
    ] as const)
      expect(why(more)).toMatchObject({ content: 'empty', why: said });
    const filling = occupationIn(INITIATED, 'delivery', { doorOpenedAt: minutes(-1), doorClosedAt: minutes(-1) });
    for (const [more, said] of [
      [{ ...shut, sensed: 'occupied' }, 'filled'],
      [shut, 'assumed-filled'],
      [{ as: 'staff' }, 'filled'],
    ] as const)
      expect(contentOf(done(filling, { kind: 'fill' }, more))).toMatchObject({ content: 'occupied', why: said });
    for (const more of [{ unheard: 'occupied' }, { doubt: 'not-sensed' }] as const) {
      expect(tried(claim, { kind: 'finnish' }, { ...shut, ...more })).toBe('not-yet');
      const stock = { ...claim, type: 'consumable', service: 'consumable', quantity: 5, claimQuantity: 1 } as const;
      expect(tried(stock, { kind: 'finnish' }, { ...shut, ...more })).toBe('ok');
    }
    // It came back and senses it still: as without an outage it goes back to whoever it waits for.
    expect(tried(claim, { kind: 'finnish' }, { as: 'server', wasSilent: true, sensed: 'occupied' })).toBe('not-yet');
    for (const as of ['holder', 'staff'] as const) {
      const denied = done(claim, { kind: 'finnish' }, { as, sensed: 'occupied' });
      expect(contentOf(denied)).toMatchObject({ content: 'unknown', why: 'still-sensed' });
      expect(denied.events[0]).toMatchObject({ type: 'occupation_claimed', data: { denied: true } });
    }
    expect(contentOf(done(claim, { kind: 'return' }, { as: 'holder', sensed: 'empty' }))).toMatchObject({ content: 'unknown' });
  });
  it('an opening nobody asked for changes no stage, and leaves it unknown', () => {
    for (const stage of [RESERVED, FILLED, ACQUIRABLE, VACANT]) {
      const answer = done(occupationIn(stage, 'delivery'), { kind: 'door-opened', named: false, unexpected: true });
      expect(answer.occupation.stage).toBe(stage);
      expect(contentOf(answer)).toMatchObject({ content: 'unknown', why: 'unexpected-opening' });
      expect(kinds(answer)).toContain('tell-staff');
    }
    expect(done(occupationIn(FILLED, 'delivery'), { kind: 'door-opened', named: false }).effects).toEqual([]);
  });
  it('after an outage: closed after seen open ends, never open has failed, open or unknown waits', () => {
    const claim = occupationIn(CLAIMING, 'delivery');
    const seen = { ...claim, doorOpenedAt: minutes(-1) };
    expect(claimAfterOutage(seen, 'closed')).toEqual({ kind: 'finnish' });
    expect(claimAfterOutage(claim, 'closed')).toEqual({ kind: 'claim-failed', why: 'outage' });
    expect(claimAfterOutage({ ...seen, type: 'storage' }, 'closed')).toEqual({ kind: 'door-closed' });
    expect([claimAfterOutage(seen, 'opened'), claimAfterOutage(seen, 'unknown')]).toEqual([null, null]);
    expect(claimAfterOutage(occupationIn(FILLED, 'delivery'), 'closed')).toBeNull();
  });
  it('after an outage: a claim that began when the cabinet was back already is no business of it', () => {
    const claim = { ...occupationIn(CLAIMING, 'delivery'), claimOpenedAt: minutes(-1) };
    expect(claimAfterOutage(claim, 'closed', minutes(-2))).toBeNull();
    expect(claimAfterOutage(claim, 'closed', minutes(0))).toEqual({ kind: 'claim-failed', why: 'outage' });
  });
});

describe('who', () => {
  it('an access link fetches what staff would take out, and does nothing else', () => {
    const link = { as: 'link' as const };
    expect(OCCUPATION_TYPES.filter((type) => tried(occupationIn(ACQUIRABLE, type), { kind: 'claim' }, link) === 'ok').toSorted()).toEqual([
      'delivery',
      'drop-off',
      'recall',
    ]);
    for (const kind of ['fill', 'extract', 'empty', 'reset', 'delete', 'publish', 'send'] as const)
      for (const type of OCCUPATION_TYPES) expect(tried(occupationIn(FILLED, type), { kind }, link)).toBe('not-allowed');
  });

  it('a holder may do what their secret is for, type by type', () => {
    const mayClaim = OCCUPATION_TYPES.filter((type) => tried(occupationIn(ACQUIRABLE, type), { kind: 'claim' }, { as: 'holder' }) === 'ok');
    expect(mayClaim).toEqual(['storage', 'delivery', 'lending', 'consumable', 'sale']);
    const inside = { doorOpenedAt: minutes(-1), doorClosedAt: NOW };
    const mayFill = OCCUPATION_TYPES.filter(
      (type) => tried(occupationIn(INITIATED, type, inside), { kind: 'fill' }, { as: 'holder', openedByHolder: true }) === 'ok',
    );
    expect(mayFill).toEqual(['drop-off', 'recall']);
    // opened for staff it is theirs to say
    for (const type of mayFill)
      for (const kind of ['fill', 'nothing-inside'] as const)
        expect(tried(occupationIn(INITIATED, type, inside), { kind }, { as: 'holder' })).toBe('not-yet');
    for (const kind of ['extract', 'empty', 'reset', 'delete', 'publish', 'send'] as const) {
      for (const type of OCCUPATION_TYPES) expect(tried(occupationIn(FILLED, type), { kind }, { as: 'holder' })).toBe('not-allowed');
    }
  });
  it('a holder finishes only what was seen open; staff may know better', () => {
    const claim = occupationIn(CLAIMING, 'delivery');
    expect(tried(claim, { kind: 'finnish' }, { as: 'holder' })).toBe('not-yet');
    expect(tried(claim, { kind: 'finnish' }, { as: 'link' })).toBe('not-yet');
    expect(tried({ ...claim, doorOpenedAt: NOW }, { kind: 'finnish' }, { as: 'holder' })).toBe('ok');
    expect(tried(claim, { kind: 'finnish' })).toBe('ok');
  });
  it('a holder’s word ends a claim whose door nobody saw shut, and leaves the locker in doubt', () => {
    const opened = { doorOpenedAt: minutes(-2) };
    const shut = { ...opened, doorClosedAt: minutes(-1) };
    const asked = { unanswered: true };
    const after = (type: OccupationType, seen: Partial<Occupation>, more: Partial<Context>) => {
      const claim = occupationIn(CLAIMING, type, { quantity: 1, ...seen });
      const said = tried(claim, { kind: 'finnish' }, more);
      const believed = said === 'ok' ? done(claim, { kind: 'finnish' }, more).effects.find((one) => one.kind === 'content') : undefined;
      return believed?.content ?? said;
    };
    const rows: [OccupationType, Partial<Occupation>, Partial<Context>, string][] = [
      ['delivery', {}, { as: 'holder' }, 'not-yet'],
      ['delivery', {}, { as: 'holder', ...asked }, 'unknown'],
      ['delivery', {}, { as: 'link', ...asked }, 'unknown'],
      ['delivery', {}, { as: 'server', ...asked, now: minutes(60) }, 'not-yet'],
      ['delivery', {}, { as: 'staff', ...asked }, 'empty'],
      ['delivery', opened, { as: 'holder' }, 'unknown'],
      ['delivery', opened, { as: 'link' }, 'unknown'],
      ['delivery', opened, { as: 'holder', sensed: 'empty' }, 'unknown'],
      ['delivery', shut, { as: 'holder' }, 'empty'],
      ['delivery', opened, { as: 'staff' }, 'empty'],
      ['lending', {}, { as: 'holder', ...asked }, 'unknown'],
      ['consumable', opened, { as: 'holder' }, 'unknown'],
      ['sale', {}, { as: 'holder', ...asked }, 'unknown'],
      ['storage', opened, { as: 'holder' }, 'unknown'],
      ['storage', shut, { as: 'holder' }, 'empty'],
      ['drop-off', opened, { as: 'link' }, 'unknown'],
    ];
    for (const [type, seen, more, came] of rows) expect([type, seen, more, after(type, seen, more)]).toEqual([type, seen, more, came]);
  });
  it('who brings something with a link opens, puts in and closes', () => {
    expect(tried(occupationIn(RESERVED, 'drop-off'), { kind: 'fill' }, { as: 'holder' })).toBe('not-yet');
    const opened = occupationIn(INITIATED, 'drop-off');
    expect(tried(opened, { kind: 'fill' }, { as: 'holder' })).toBe('door-open');
    const filled = done({ ...opened, doorClosedAt: NOW }, { kind: 'fill' }, { as: 'holder', openedByHolder: true });
    expect(filled.effects).toContainEqual({ kind: 'tell-staff', reason: 'dropped-off' });
  });
  it('a borrower brings back through an opened and closed door', () => {
    const lent = occupationIn(VACANT, 'lending', { claimedBy: HOLDER });
    const holder = { as: 'holder' as const, openLoan: true };
    expect(tried(lent, { kind: 'return' }, holder)).toBe('door-open');
    const opened = done(lent, { kind: 'door-opened', named: true }, holder2(holder)).occupation;
    expect(tried(opened, { kind: 'return' }, holder)).toBe('door-open');
    const closed = done(opened, { kind: 'door-closed' }, holder2(holder)).occupation;
    expect(tried(closed, { kind: 'return', lockerId: 'l2' }, holder)).toBe('not-allowed');
    // Staff opened and closed it meanwhile, or took out what was lent to nobody.
    expect(tried(closed, { kind: 'return' }, holder)).toBe('not-yet');
    expect(tried(closed, { kind: 'return' }, { as: 'holder', openedByHolder: true })).toBe('not-allowed');
    const back = done(closed, { kind: 'return', condition: 'scratched' }, { ...holder, openedByHolder: true });
    expect(back.occupation).toMatchObject({ stage: ACQUIRABLE, claimedBy: null, receiver: null });
    // The last borrower's link is of no use to them any more.
    expect(back.effects).toContainEqual({ kind: 'secrets-die', at: NOW });
    expect(back.effects).toContainEqual({ kind: 'close-loan', endedBy: 'returned', condition: 'scratched' });
  });
  it('what was borrowed comes back without the last borrower’s pick-up time, and without what was wrong with reaching them', () => {
    const last = { pickupBy: minutes(-60), pickupFrom: minutes(-120), contactError: 'address-changed' };
    const sensed = (doorOpenedAt: string | null) =>
      contentOf(
        done(occupationIn(VACANT, 'lending', { doorOpenedAt }), { kind: 'return' }, { openLoan: true, as: 'staff', sensed: 'empty' }),
      );
    expect(sensed(null)).toMatchObject({ content: 'unknown', why: 'not-sensed' });
    expect(sensed(minutes(-1))).toMatchObject({ content: 'occupied', why: 'put-back' });
    const back = done(occupationIn(VACANT, 'lending', last), { kind: 'return' }, { openLoan: true }).occupation;
    expect(back).toMatchObject({ stage: ACQUIRABLE, pickupBy: null, pickupFrom: NOW, contactError: null });
    expect(isOverdue({ ...back, dueAt: null }, [], minutes(1))).toBe(false);
    expect(done(occupationIn(CONTACTED, 'delivery', last), { kind: 'empty' }).occupation).toMatchObject({
      pickupBy: null,
      contactError: null,
    });
  });
  it('what is told of a move is told at the new door, to whoever sees that one alone: it does not name the old one', () => {
    const moved = done(occupationIn(VACANT, 'delivery'), { kind: 'fill', lockerId: 'l2' });
    expect(moved.occupation.doorTag).toBe('A-02');
    expect(moved.events).toEqual([{ type: 'occupation_refilled' }, { type: 'locker_reserved' }]);
  });
  it.each(['reset', 'nothing-inside'] as const)('the agreed time outlives %s of a door that was opened to put it in', (kind) => {
    const weekOn = { pickupBy: minutes(7 * 24 * 60) };
    for (const type of ['delivery', 'storage'] as const) {
      const again = done(occupationIn(INITIATED, type, weekOn), { kind }).occupation;
      expect(again).toMatchObject({ stage: RESERVED, ...weekOn });
    }
  });
  it.each(['l1', 'l2'])(
    'until when a storage is kept outlives that staff take it out and put it into %s; said empty, it does not',
    (lockerId) => {
      const weekOn = { pickupBy: minutes(7 * 24 * 60) };
      const then = (kind: 'extract' | 'empty', type: OccupationType) => {
        const out = done(occupationIn(ACQUIRABLE, type, { ...weekOn, pickupFrom: NOW }), { kind }).occupation;
        return done(done(out, { kind: 'reset', lockerId }).occupation, { kind: 'fill' }).occupation;
      };
      expect(then('extract', 'storage')).toMatchObject({ stage: ACQUIRABLE, pickupFrom: NOW, ...weekOn });
      expect(then('empty', 'storage')).toMatchObject({ stage: ACQUIRABLE, pickupBy: minutes(72 * 60) });
      expect(then('extract', 'delivery').pickupBy).toBeNull();
    },
  );
  it('a claim for another receiver that comes to nothing leaves the first one to be told anew', () => {
    const kari = { name: 'Kari', tlf: '+4791234567', email: null };
    const other = { name: 'Ola', tlf: '+4799999999', email: null };
    for (const [from, error] of [
      [CONTACTED, 'address-changed'],
      [ACQUIRABLE, null],
    ] as const) {
      const claim = done(occupationIn(from, 'lending', { receiver: kari }), { kind: 'claim', receiver: other }).occupation;
      for (const end of [{ kind: 'claim-failed', why: 'refused' }, { kind: 'return' }] as const)
        expect(done(claim, end).occupation).toMatchObject({ stage: from, receiver: kari, contactError: error });
    }
  });
  it('a claim for another receiver leaves nobody of theirs behind, however it ends; but who took it for good, or has it on loan', () => {
    const [kari, ola] = [
      { name: 'Kari', tlf: '+4791234567', email: null },
      { name: 'Ola', tlf: '+4799999999', email: null },
    ];
    const ended = (type: OccupationType, receiver: Occupation['receiver'], command: Command, more: Partial<Occupation> = {}) => {
      const { occupation } = done(occupationIn(CONTACTED, type, { receiver, ...more }), { kind: 'claim', receiver: kari });
      return done({ ...occupation, doorOpenedAt: NOW }, command);
    };
    // Ola's storage, of which he was told: shut again it is his, and Kari's link opens it no more.
    const stored = ended('storage', ola, { kind: 'door-closed' });
    expect(stored.occupation).toMatchObject({ stage: ACQUIRABLE, receiver: ola, contactError: 'address-changed' });
    expect(kinds(stored)).toEqual(['secrets-die', 'secrets-wake']);
    for (const type of ['consumable', 'lending', 'sale'] as const) {
      const emptied = ended(type, null, { kind: 'empty' });
      expect(emptied.occupation).toMatchObject({ stage: VACANT, receiver: null, contactError: null });
      // The next one here is let in by no key of theirs.
      expect(emptied.effects).toContainEqual({ kind: 'secrets-die', at: NOW });
    }
    const left = ended('consumable', null, { kind: 'finnish' }, { quantity: 2 });
    expect(left.effects).toContainEqual({ kind: 'secrets-die', at: minutes(5) });
    expect(done(left.occupation, { kind: 'amend', receiver: ola }).effects).toContainEqual({ kind: 'secrets-die', at: NOW });
    for (const type of OCCUPATION_TYPES) {
      const cut = ended(type, ola, { kind: 'delete' });
      expect(cut.occupation).toMatchObject({ stage: TERMINATED, receiver: ola, contactError: null });
      // What is over wakes no new secrets: what there was dies as ever.
      expect(cut.effects.filter(({ kind }) => kind.startsWith('secrets'))).toEqual([{ kind: 'secrets-die', at: minutes(5) }]);
    }
    const kept = OCCUPATION_TYPES.filter((type) => ended(type, ola, { kind: 'finnish' }, { quantity: 1 }).occupation.receiver === kari);
    expect(kept.toSorted()).toEqual(['delivery', 'lending', 'sale']);
    expect(ended('sale', ola, { kind: 'finnish' }, { quantity: 2 }).occupation).toMatchObject({ stage: ACQUIRABLE, receiver: ola });
  });
  it('a claim whose door may have opened unseen leaves nobody sure of what lies inside', () => {
    const claim = occupationIn(CLAIMING, 'delivery');
    const failed: Command = { kind: 'claim-failed', why: 'no-answer' };
    expect(contentOf(done(claim, failed, { unanswered: true }))).toMatchObject({ content: 'unknown', why: 'unseen' });
    expect(contentOf(done(claim, failed, { unanswered: true, sensed: 'occupied' }))).toBeUndefined();
    expect(contentOf(done(claim, failed))).toBeUndefined();
  });
  it('a claim for another receiver leaves the old one’s link opening nothing', () => {
    const offered = occupationIn(ACQUIRABLE, 'delivery', { receiver: { name: 'Kari', tlf: '+4791234567', email: null } });
    const other = { name: 'Ola', tlf: '+4799999999', email: null };
    expect(done(offered, { kind: 'claim', receiver: other }).effects).toContainEqual({ kind: 'secrets-die', at: NOW });
    expect(done(offered, { kind: 'claim' }).effects).not.toContainEqual({ kind: 'secrets-die', at: NOW });
  });
  it('refuses an old version, and says nothing changed', () => {
    expect(tried(occupationIn(FILLED, 'delivery'), { kind: 'publish' }, { expectedVersion: 6 })).toBe('stale');
    expect(tried(occupationIn(FILLED, 'delivery'), { kind: 'publish' }, { expectedVersion: 7 })).toBe('ok');
  });
  it('one claim at a time, and no more than the policy lets a person have', () => {
    expect(tried(occupationIn(CLAIMING, 'sale'), { kind: 'claim' })).toBe('in-use');
    expect(tried(occupationIn(ACQUIRABLE, 'delivery'), { kind: 'claim' }, { takingOut: true })).toBe('in-use');
    const rules = { ...context().rules, maxActivePerPerson: 2 };
    expect(tried(occupationIn(ACQUIRABLE, 'lending'), { kind: 'claim' }, { rules, activeOfPerson: 1 })).toBe('ok');
    expect(tried(occupationIn(ACQUIRABLE, 'lending'), { kind: 'claim' }, { rules, activeOfPerson: 2 })).toBe('too-many');
    expect(tried(occupationIn(ACQUIRABLE, 'lending'), { kind: 'claim' }, { lendable: false })).toBe('not-lendable');
  });
  it.each([
    [FILLED, 'lending', false, 'not-lendable'],
    [ACQUIRABLE, 'lending', false, 'not-lendable'],
    [CONTACTED, 'lending', false, 'not-lendable'],
    [VACANT, 'lending', false, 'ok'],
    [FILLED, 'lending', true, 'ok'],
    [ACQUIRABLE, 'lending', true, 'ok'],
    [CONTACTED, 'lending', true, 'ok'],
    [FILLED, 'delivery', false, 'ok'],
    [CONTACTED, 'delivery', false, 'ok'],
    [ACQUIRABLE, 'storage', false, 'ok'],
  ] as const)('nobody is told to come for what its label keeps in: %i, %s, %s', (stage, type, lendable, answer) => {
    expect(tried(occupationIn(stage, type), { kind: 'send' }, { lendable, openLoan: stage === VACANT })).toBe(answer);
  });
  it('what is offered to groups is theirs alone, unless staff hand it out or it bears somebody’s name', () => {
    const rules = { ...context().rules, admits: false };
    const by = (type: OccupationType, as: Capacity, receiver: Occupation['receiver'] = null) =>
      tried(occupationIn(ACQUIRABLE, type, { receiver }), { kind: 'claim' }, { rules, as });
    expect([by('lending', 'holder'), by('consumable', 'holder')]).toEqual(['not-in-group', 'not-in-group']);
    expect([by('lending', 'staff'), by('consumable', 'staff'), by('delivery', 'holder')]).toEqual(['ok', 'ok', 'ok']);
    expect(by('lending', 'holder', { name: 'Kari', tlf: null, email: 'kari@example.test' })).toBe('ok');
    const open = { ...context().rules, admits: true };
    expect(tried(occupationIn(ACQUIRABLE, 'lending', { receiver: null }), { kind: 'claim' }, { as: 'holder', rules: open })).toBe('ok');
  });
  it('what is left of a stock bears no name of who took their pieces, and opens to them no more', () => {
    const receiver = { name: 'Kari', tlf: null, email: 'kari@example.test' };
    const stock = occupationIn(ACQUIRABLE, 'consumable', { receiver: null, quantity: 5 });
    const claimed = done(stock, { kind: 'claim', receiver });
    expect(claimed.occupation.receiver).toEqual(receiver);
    expect(kinds(claimed)).toEqual(['secrets-die', 'secrets-wake', 'look-again']);
    const taken = done({ ...claimed.occupation, doorOpenedAt: NOW }, { kind: 'finnish' });
    expect(taken.occupation).toMatchObject({ stage: ACQUIRABLE, receiver: null, quantity: 4 });
    expect(taken.effects).toContainEqual({ kind: 'secrets-die', at: minutes(5) });
    // Its own receiver's link lives on: they may come for more.
    const own = occupationIn(CLAIMING, 'consumable', { receiver, quantity: 5, doorOpenedAt: NOW });
    expect(done(own, { kind: 'finnish' })).toMatchObject({ occupation: { receiver } });
    expect(kinds(done(own, { kind: 'finnish' }))).not.toContain('secrets-die');
  });
});
/** Door facts come from the device, not from the holder. */
const holder2 = (ctx: Partial<Context>): Partial<Context> => ({ ...ctx, as: 'server' });

describe('loans', () => {
  it('open with a due time, and block what would lose the asset', () => {
    const answer = done(occupationIn(CLAIMING, 'lending', { doorOpenedAt: NOW }), { kind: 'finnish' });
    expect(answer.effects).toContainEqual(
      expect.objectContaining({ kind: 'open-loan', dueAt: '2026-03-09T12:00:00.000Z', borrower: HOLDER }),
    );
    expect(answer.occupation.claimedBy).toEqual(HOLDER);
    const lent = answer.occupation;
    const out = { openLoan: true };
    expect(tried(lent, { kind: 'delete' }, out)).toBe('open-loan');
    expect(tried(lent, { kind: 'delete', reason: 'tired' }, out)).toBe('open-loan');
    expect(done(lent, { kind: 'delete', reason: 'lost' }, out).effects).toContainEqual({
      kind: 'close-loan',
      endedBy: 'lost',
      condition: null,
    });
    expect(tried(lent, { kind: 'reset' }, out)).toBe('content-inside');
    expect(tried(lent, { kind: 'fill' }, out)).toBe('open-loan');
    expect(tried(lent, { kind: 'fill', lockerId: 'l2' }, out)).toBe('open-loan');
  });
  it('are due as was said when it was handed out, else after its own time, else after the policy’s', () => {
    const dueAt = minutes(600);
    const claim = (more: Partial<Occupation>, command: Partial<Command> = {}) =>
      done(occupationIn(ACQUIRABLE, 'lending', more), { kind: 'claim', ...command } as Command).occupation;
    const due = (o: Occupation) => done({ ...o, doorOpenedAt: NOW }, { kind: 'finnish' }).effects.find((one) => one.kind === 'open-loan');
    expect(due(claim({}, { dueAt }))).toMatchObject({ dueAt });
    expect(due(claim({ loanHours: 2 }))).toMatchObject({ dueAt: minutes(120) });
    expect(due(claim({}))).toMatchObject({ dueAt: minutes(7 * 24 * 60) });
    for (const odd of [minutes(-1), 'tomorrow'])
      expect(tried(occupationIn(ACQUIRABLE, 'lending'), { kind: 'claim', dueAt: odd })).toBe('deadline');
    expect(tried(occupationIn(ACQUIRABLE, 'delivery'), { kind: 'claim', dueAt })).toBe('deadline');
  });
  it('that came to nothing leave no borrower behind, and what they were given opens nothing', () => {
    const kari = { name: 'Kari', tlf: null, email: 'kari@example.test' };
    const claimed = (receiver: Occupation['receiver']) =>
      done(occupationIn(ACQUIRABLE, 'lending', { receiver }), { kind: 'claim', receiver: kari, dueAt: minutes(60) }).occupation;
    const failed = done(claimed(null), { kind: 'claim-failed', why: 'refused' }, { as: 'server' });
    expect(failed.occupation).toMatchObject({ stage: ACQUIRABLE, receiver: null, claimDueAt: null, claimReplaced: null });
    expect(failed.effects).toContainEqual({ kind: 'secrets-die', at: NOW });
    const ola = { name: 'Ola', tlf: '+4799999999', email: null };
    const back = done({ ...claimed(ola), doorOpenedAt: NOW }, { kind: 'return' });
    expect(back.occupation.receiver).toEqual(ola);
    expect(back.effects).toContainEqual({ kind: 'secrets-wake' });
    expect(done({ ...claimed(ola), doorOpenedAt: NOW }, { kind: 'finnish' }).occupation.receiver).toEqual(kari);
  });
  it('are extended by amend, ahead and while they run', () => {
    const lent = occupationIn(VACANT, 'lending');
    const dueAt = minutes(60);
    expect(tried(lent, { kind: 'amend', dueAt })).toBe('deadline');
    expect(done(lent, { kind: 'amend', dueAt }, { openLoan: true }).effects).toEqual([{ kind: 'amend-loan', dueAt }]);
    const kari = { name: 'Kari', tlf: '+4799999999', email: null };
    expect(done(lent, { kind: 'amend', receiver: kari }, { openLoan: true }).effects).toEqual([{ kind: 'amend-borrower', receiver: kari }]);
    expect(done(lent, { kind: 'amend', receiver: kari }).effects).toEqual([]);
    for (const odd of [minutes(-1), 'tomorrow', '2026-04-01'])
      expect(tried(lent, { kind: 'amend', dueAt: odd }, { openLoan: true })).toBe('deadline');
  });
});

describe('moving to another locker', () => {
  it('takes the one, lets go of the other', () => {
    const answer = done(occupationIn(VACANT, 'delivery'), { kind: 'fill', lockerId: 'l2' });
    expect(answer.occupation).toMatchObject({ lockerId: 'l2', doorTag: 'A-02', stage: FILLED });
    expect(answer.effects).toEqual([
      { kind: 'release-locker', lockerId: 'l1' },
      { kind: 'take-locker', lockerId: 'l2' },
      { kind: 'content', lockerId: 'l2', content: 'occupied', why: 'filled' },
    ]);
  });
  it.each<[Partial<TargetLocker>, string]>([
    [{ free: false }, 'locker-taken'],
    [{ inDoubt: true }, 'locker-in-doubt'],
    [{ outOfService: true }, 'out-of-service'],
    [{ services: ['sale'] }, 'service-not-allowed'],
    [{ id: 'l3' }, 'locker-taken'],
  ])('refuses a locker that is %o', (odd, expected) => {
    const target: TargetLocker = { id: 'l2', doorTag: 'A-02', free: true, inDoubt: false, outOfService: false, services: [], ...odd };
    expect(tried(occupationIn(VACANT, 'delivery'), { kind: 'fill', lockerId: 'l2' }, { target })).toBe(expected);
    expect(tried(occupationIn(VACANT, 'delivery'), { kind: 'reset', lockerId: 'l2' }, { target })).toBe(expected);
    expect(tried(occupationIn(VACANT, 'lending'), { kind: 'return', lockerId: 'l2' }, { target, openLoan: true })).toBe(expected);
  });
  it('to be put in there, it is empty until its door was there for that, and what was left behind is known or not', () => {
    const over: Command = { kind: 'reset', lockerId: 'l2' };
    for (const stage of [RESERVED, VACANT]) {
      const { occupation, effects } = done(occupationIn(stage, 'delivery'), over);
      expect(occupation).toMatchObject({ lockerId: 'l2', doorTag: 'A-02', stage: RESERVED, doorOpenedAt: null });
      expect(effects).toContainEqual({ kind: 'release-locker', lockerId: 'l1' });
      expect(effects).toContainEqual({ kind: 'take-locker', lockerId: 'l2' });
      expect(effects.filter((effect) => effect.kind === 'content')).toEqual([]);
    }
    const unanswered = done(occupationIn(RESERVED, 'delivery'), over, { unanswered: true });
    const refilled = done(occupationIn(VACANT, 'consumable', { doorOpenedAt: NOW }), over);
    for (const answer of [unanswered, refilled])
      expect(answer.effects.filter((effect) => effect.kind === 'content')).toMatchObject([{ lockerId: 'l1', content: 'unknown' }]);
    expect(tried(occupationIn(VACANT, 'lending'), over, { openLoan: true })).toBe('content-inside');
    expect(tried(occupationIn(FILLED, 'delivery'), over)).toBe('content-inside');
  });
  it('keeps how many pieces were taken out', () => {
    const out = done(occupationIn(ACQUIRABLE, 'sale', { quantity: 3 }), { kind: 'extract' }).occupation;
    expect(done(out, { kind: 'fill', lockerId: 'l2' }).occupation.quantity).toBe(3);
  });
});

describe('pieces and payments', () => {
  const price = { amount: 5_000, currency: 'NOK' };
  const paid = (
    quantity: number,
    state: 'reserved' | 'captured' | 'initiated' | 'refunded' = 'reserved',
    holds = true,
  ): Partial<Context> => ({
    payment: { id: 'pay', state, quantity, holds, paid: state === 'captured' },
  });
  it('a priced claim needs a reserved payment of one’s own', () => {
    const sale = occupationIn(ACQUIRABLE, 'sale', { price, quantity: 3, held: 2 });
    expect(tried(sale, { kind: 'claim' })).toBe('payment-needed');
    expect(tried(sale, { kind: 'claim' }, paid(2, 'initiated'))).toBe('payment-needed');
    // what may be gone is not paid for; who has paid is let in to see
    expect(tried(sale, { kind: 'claim' }, { mayBeGone: true })).toBe('locker-in-doubt');
    expect(done(sale, { kind: 'claim' }, { ...paid(2), mayBeGone: true }).occupation.claimPaymentId).toBe('pay');
    expect(tried(sale, { kind: 'claim', quantity: 3 }, paid(2))).toBe('quantity');
    const claim = done(sale, { kind: 'claim' }, paid(2)).occupation;
    expect(claim).toMatchObject({ held: 2, claimQuantity: 2, claimPaymentId: 'pay' });
    const sold = done({ ...claim, doorOpenedAt: NOW }, { kind: 'finnish' }, paid(2));
    expect(sold.occupation).toMatchObject({ stage: ACQUIRABLE, quantity: 1, held: 0, claimPaymentId: null });
    expect(sold.effects).toContainEqual({ kind: 'capture-payment', paymentId: 'pay' });
    expect(sold.events.at(-1)).toEqual({ type: 'occupation_sold', data: { quantity: 2, staff: true, receiver: 'Ola' } });
  });
  it('what was brought is fetched unpaid, whatever price it was registered with, and on what was paid where somebody paid', () => {
    const brought = (type: OccupationType) => occupationIn(ACQUIRABLE, type, { price });
    const unpaid = OCCUPATION_TYPES.filter((type) => tried(brought(type), { kind: 'claim' }) === 'ok');
    expect(unpaid.toSorted()).toEqual(['drop-off', 'recall']);
    for (const type of unpaid) {
      expect(tried(brought(type), { kind: 'claim' }, { as: 'link' })).toBe('ok');
      expect(done(brought(type), { kind: 'claim' }, paid(1)).occupation).toMatchObject({ claimPaymentId: 'pay', held: 0 });
    }
  });
  it('one whose pieces were let go takes pieces anew, or is told that they are gone', () => {
    const sale = occupationIn(ACQUIRABLE, 'sale', { price, quantity: 3, held: 1 });
    const late = paid(2, 'reserved', false);
    const claim = done(sale, { kind: 'claim' }, late).occupation;
    expect(claim).toMatchObject({ held: 3, claimQuantity: 2, claimPaymentId: 'pay' });
    expect(done({ ...claim, doorOpenedAt: NOW }, { kind: 'finnish' }, late).occupation).toMatchObject({ quantity: 1, held: 1 });
    expect(done(claim, { kind: 'return' }, late).occupation).toMatchObject({ quantity: 3, held: 1 });
    expect(tried({ ...sale, held: 2 }, { kind: 'claim' }, late)).toBe('sold-out');
    expect(tried({ ...sale, held: 2 }, { kind: 'claim' }, paid(2))).toBe('ok');
  });
  const claim = occupationIn(CLAIMING, 'sale', { price, quantity: 3, held: 2, claimQuantity: 2, claimPaymentId: 'pay' });
  it('a claim that comes to nothing gives back what was captured, though a part went back before', () => {
    expect(done(claim, { kind: 'return' }, paid(2, 'refunded')).effects).toContainEqual({ kind: 'refund-payment', paymentId: 'pay' });
  });
  it('a claim that comes to nothing lets the payment go', () => {
    const failed = done(claim, { kind: 'claim-failed', why: 'refused' }, paid(2));
    expect(failed.occupation).toMatchObject({ held: 0, claimPaymentId: null });
    expect(failed.effects).toContainEqual({ kind: 'let-payment-go', paymentId: 'pay' });
    expect(done(claim, { kind: 'return' }, paid(2)).effects).toContainEqual({ kind: 'cancel-payment', paymentId: 'pay' });
    expect(done(claim, { kind: 'return' }, paid(2, 'captured')).effects).toContainEqual({ kind: 'refund-payment', paymentId: 'pay' });
  });
  it.each(['empty', 'delete'] as const)('%s in a claim captures where the door was seen open, else lets the payment go', (kind) => {
    expect(done({ ...claim, doorOpenedAt: NOW }, { kind }).effects).toContainEqual({ kind: 'capture-payment', paymentId: 'pay' });
    expect(done(claim, { kind }).effects).toContainEqual({ kind: 'let-payment-go', paymentId: 'pay' });
    expect(done(claim, { kind }).effects).toContainEqual({ kind: 'cancel-open-payments', except: 'pay' });
    expect(done(claim, { kind }).occupation.claimPaymentId).toBeNull();
  });
  it.each(['empty', 'delete', 'claim-failed'] as const)('%s gives back nothing that a person captured: they know where it went', (kind) => {
    const command: Command = kind === 'claim-failed' ? { kind, why: 'time' } : { kind };
    for (const unanswered of [true, false])
      expect(kinds(done(claim, command, { ...paid(2, 'captured'), unanswered }))).not.toContain('refund-payment');
  });
  it('what the clock puts back, since a sensor senses it, moves no money; what its holder puts back lets it go; what staff put back gives it back', () => {
    const back = { ...claim, quantity: 2, doorOpenedAt: minutes(-2), doorClosedAt: minutes(-1) };
    const said = (as: 'server' | 'holder' | 'staff', state: 'reserved' | 'captured') =>
      kinds(done(back, { kind: 'return' }, { ...paid(2, state), as, sensed: 'occupied' })).filter((kind) => kind.includes('payment'));
    expect([said('server', 'reserved'), said('server', 'captured')]).toEqual([[], []]);
    expect([said('holder', 'reserved'), said('holder', 'captured')]).toEqual([['let-payment-go'], ['let-payment-go']]);
    expect([said('staff', 'reserved'), said('staff', 'captured')]).toEqual([['cancel-payment'], ['refund-payment']]);
  });
  it('whoever paid for the one thing inside is let in on it again, where a person captured it and the claim came to nothing', () => {
    const captured = paid(1, 'captured');
    for (const [type, kept] of [
      ['delivery', 'pay'],
      ['sale', null],
    ] as const) {
      const first = done(occupationIn(ACQUIRABLE, type, { price }), { kind: 'claim' }, paid(1)).occupation;
      const failed = done(first, { kind: 'claim-failed', why: 'refused' }, captured).occupation;
      expect(failed.claimPaymentId).toBe(kept);
      expect(tried(failed, { kind: 'claim' }, captured)).toBe(kept === null ? 'payment-needed' : 'ok');
      const back = done({ ...first, doorOpenedAt: NOW }, { kind: 'return' }, { ...captured, as: 'holder' }).occupation;
      expect(back.claimPaymentId).toBe(kept);
    }
  });
  it('is let in on it again where part of it went back', () => {
    const partly = { payment: { id: 'pay', state: 'refunded', quantity: 1, holds: true, paid: true } } as const;
    const claimed = done(occupationIn(ACQUIRABLE, 'delivery', { price }), { kind: 'claim' }, paid(1)).occupation;
    expect(done(claimed, { kind: 'claim-failed', why: 'refused' }, partly).occupation.claimPaymentId).toBe('pay');
  });
  it('an owner’s visit to their storage is none that lock control opened', () => {
    const visit = done(occupationIn(ACQUIRABLE, 'storage'), { kind: 'claim' }).occupation;
    expect(done(visit, { kind: 'door-opened', named: false }).occupation).toEqual(visit);
    expect(done(visit, { kind: 'door-opened', named: true }).occupation.doorOpenedAt).toBe(NOW);
  });
  it('a storage keeps what it was visited on, though a later visit comes to nothing; on its first one the payment goes with it', () => {
    const failed: Command = { kind: 'claim-failed', why: 'refused' };
    const first = done(occupationIn(ACQUIRABLE, 'storage', { price }), { kind: 'claim' }, paid(1)).occupation;
    expect(done(first, failed, paid(1))).toMatchObject({ occupation: { claimPaymentId: null }, effects: [{ kind: 'let-payment-go' }] });
    const opened = done(first, { kind: 'door-opened', named: true }, paid(1)).occupation;
    let between = done(opened, { kind: 'door-closed' }, paid(1)).occupation;
    expect(between).toMatchObject({ stage: ACQUIRABLE, claimPaymentId: 'pay' });
    for (const day of [1, 2]) {
      const visit = done(between, { kind: 'claim' }, { ...paid(1), now: minutes(day) }).occupation;
      for (const kind of ['empty', 'delete'] as const) {
        const ended = done(visit, { kind }, paid(1)).effects;
        expect(ended).toContainEqual({ kind: 'capture-payment', paymentId: 'pay' });
        expect(ended).toContainEqual({ kind: 'cancel-open-payments', except: 'pay' });
      }
      const shut = done(visit, failed, paid(1));
      expect([shut.occupation.stage, shut.occupation.claimPaymentId, kinds(shut)]).toEqual([ACQUIRABLE, 'pay', []]);
      between = shut.occupation;
    }
    // Let in on another payment, it is that one's first visit.
    const other: Partial<Context> = { payment: { id: 'new', state: 'reserved', quantity: 1, holds: true, paid: false } };
    const anew = done(between, { kind: 'claim' }, other).occupation;
    expect(done(anew, failed, other)).toMatchObject({ occupation: { claimPaymentId: null }, effects: [{ paymentId: 'new' }] });
  });
  it('never takes more than there is', () => {
    const stock = occupationIn(ACQUIRABLE, 'consumable', { quantity: 3, held: 1 });
    for (const quantity of [3, 0, -1, 1.5, Number.NaN, Infinity]) expect(tried(stock, { kind: 'claim', quantity })).toBe('quantity');
    expect(done(stock, { kind: 'claim', quantity: 2 }).occupation.held).toBe(3);
    expect(tried(occupationIn(ACQUIRABLE, 'delivery'), { kind: 'claim', quantity: 2 })).toBe('quantity');
    for (const quantity of [0, -2, 0.5, 1e9]) expect(tried(stock, { kind: 'fill', quantity })).toBe('quantity');
    expect(done(stock, { kind: 'fill', quantity: 4 }).occupation.quantity).toBe(7);
  });
  it('a new price holds for whoever pays from now on; goods always have one', () => {
    const sale = occupationIn(ACQUIRABLE, 'sale', { price, quantity: 3, held: 1 });
    const dearer = { amount: 6_000, currency: 'NOK' };
    const answer = done(sale, { kind: 'amend', price: dearer });
    expect(answer.occupation).toMatchObject({ stage: ACQUIRABLE, price: dearer, quantity: 3, held: 1 });
    expect(answer.events).toEqual([{ type: 'occupation_amended', data: { fields: ['price'], price: dearer } }]);
    expect(answer.effects).toEqual([]);
    for (const amount of [0, -1, 0.5, 1e12]) expect(tried(sale, { kind: 'amend', price: { amount, currency: 'NOK' } })).toBe('price');
    expect(tried(sale, { kind: 'amend', price: { amount: 1, currency: 'kr' } })).toBe('price');
    expect(tried(occupationIn(ACQUIRABLE, 'delivery'), { kind: 'amend', price: dearer })).toBe('price');
    expect(tried(sale, { kind: 'amend', price: dearer }, { as: 'holder' })).toBe('not-allowed');
  });
  it('taken out by staff, nothing is promised any more', () => {
    const out = done(occupationIn(ACQUIRABLE, 'sale', { price, quantity: 3, held: 2 }), { kind: 'extract' });
    expect(out.occupation).toMatchObject({ quantity: 3, held: 0 });
    expect(out.effects).toContainEqual({ kind: 'cancel-open-payments', except: null });
  });
  it('asks for a refill at the level', () => {
    const at = (quantity: number): readonly string[] =>
      kinds(done(occupationIn(CLAIMING, 'consumable', { quantity, refillLevel: 2, doorOpenedAt: NOW }), { kind: 'finnish' }));
    expect(at(4)).not.toContain('tell-staff');
    expect(at(3)).toContain('tell-staff');
    expect(at(2)).not.toContain('tell-staff');
  });
  it('asks for a refill at once where no more is put in than its level, since none taken would ask for it', () => {
    const told = (o: Occupation, quantity: number) =>
      done(o, { kind: 'fill', quantity }).effects.filter(({ kind }) => kind === 'tell-staff');
    const fresh = occupationIn(INITIATED, 'consumable', { quantity: 5, refillLevel: 9 });
    expect(told(fresh, 9)).toEqual([{ kind: 'tell-staff', reason: 'refill' }]);
    expect(told(fresh, 10)).toEqual([]);
    const short = occupationIn(ACQUIRABLE, 'consumable', { quantity: 5, refillLevel: 9 });
    expect(told(short, 4)).toHaveLength(1);
    expect(told(short, 5)).toEqual([]);
    expect(told({ ...fresh, refillLevel: null }, 1)).toEqual([]);
    expect(told({ ...fresh, refillLevel: 0 }, 1)).toEqual([]);
  });
});

describe('telling people', () => {
  it('needs somebody to tell', () => {
    for (const type of ['delivery', 'lending', 'storage'] as const) {
      expect(tried(occupationIn(FILLED, type, { receiver: null }), { kind: 'send' })).toBe('receiver-needed');
      expect(tried(occupationIn(FILLED, type, { receiver: { name: 'Ola', tlf: null, email: null } }), { kind: 'send' })).toBe(
        'receiver-needed',
      );
    }
    expect(tried(occupationIn(RESERVED, 'recall', { receiver: null }), { kind: 'send' })).toBe('receiver-needed');
    const receiver = { name: 'Liv', tlf: null, email: 'liv@example.test' };
    const sent = done(occupationIn(FILLED, 'delivery', { receiver: null }), { kind: 'send', receiver, channel: 'mail' });
    expect(sent.occupation).toMatchObject({ receiver, pickupFrom: NOW, pickupBy: '2026-03-05T12:00:00.000Z' });
    expect(kinds(sent)).toEqual(['secrets-wake', 'notify', 'secrets-wake']);
  });
  it('gives a key to whoever is named only after it was offered', () => {
    const receiver = { name: 'Liv', tlf: null, email: 'liv@example.test' };
    expect(kinds(done(occupationIn(ACQUIRABLE, 'delivery', { receiver: null }), { kind: 'send', receiver }))).toContain('secrets-wake');
    expect(kinds(done(occupationIn(ACQUIRABLE, 'delivery', { receiver }), { kind: 'send' }))).toContain('secrets-wake');
  });
  it('another address kills the old link; a corrected name does not', () => {
    const o = occupationIn(CONTACTED, 'delivery');
    const other = { name: 'Ola', tlf: '+4788888888', email: null };
    expect(kinds(done(o, { kind: 'amend', receiver: other }))).toEqual(['secrets-die', 'secrets-wake']);
    expect(kinds(done(o, { kind: 'send', receiver: other }))).toEqual(['secrets-die', 'secrets-wake', 'notify']);
    const renamed = done(o, { kind: 'amend', receiver: { name: 'Ola N', tlf: '+4799999999', email: null } });
    expect(renamed.effects).toEqual([]);
    expect(renamed.events).toEqual([{ type: 'occupation_amended', data: { fields: ['receiver'] } }]);
  });
  it('a failed message is kept beside the occupation', () => {
    const failed = done(occupationIn(STAGES.CONTACTING, 'delivery'), { kind: 'message-failed', error: 'no such number' });
    expect(failed.occupation.contactError).toBe('no such number');
  });
  it('a failure that is reported late is told and moves nothing, until the message arrives after all', () => {
    const told = occupationIn(CONTACTED, 'delivery');
    expect(done(told, { kind: 'message-accepted' }).occupation).toEqual(told);
    const failed = done(told, { kind: 'message-failed', error: 'no such number' }).occupation;
    expect(failed).toEqual({ ...told, contactError: 'no such number', version: told.version + 1 });
    expect(done(failed, { kind: 'message-accepted' }).occupation).toEqual({ ...told, version: told.version + 2 });
  });
  it('an end lets the link live for five minutes', () => {
    const ended = done(occupationIn(CLAIMING, 'delivery', { doorOpenedAt: NOW }), { kind: 'finnish' });
    expect(ended.effects).toContainEqual({ kind: 'secrets-die', at: minutes(5) });
    expect(ended.effects).toContainEqual({ kind: 'release-locker', lockerId: 'l1' });
  });
});

describe('register', () => {
  const input: RegisterInput = {
    id: 'o1', tenantId: 't1', type: 'delivery', service: null, assetId: null, assetText: 'box', orderRef: null, externalRef: null,
    receiver: null, quantity: null, refillLevel: null, loanHours: null, price: null, pickupBy: null, note: null,
  }; // prettier-ignore
  const locker: RegisterContext['locker'] = { id: 'l1', doorTag: 'A-01', free: true, inDoubt: false, outOfService: false, services: [] };
  const ctx: RegisterContext = { now: NOW, actor: STAFF, rules: context().rules, locker, activeOfPerson: 0, lendable: true };
  it('reserves the locker', () => {
    const answer = register(input, ctx);
    expect(answer).toMatchObject({
      ok: true,
      occupation: { stage: RESERVED, version: 1, service: 'delivery', reservedUntil: minutes(30) },
    });
    expect(answer.ok && answer.events.map((event) => event.type)).toEqual(['occupation_created', 'locker_reserved']);
    expect(answer.ok && answer.effects[0]).toEqual({ kind: 'take-locker', lockerId: 'l1' });
  });
  it.each<[string, Partial<RegisterInput>, Partial<RegisterContext['locker']>, string]>([
    ['taken', {}, { free: false }, 'locker-taken'],
    ['in doubt', {}, { inDoubt: true }, 'locker-in-doubt'],
    ['out of service', {}, { outOfService: true }, 'out-of-service'],
    ['for others', {}, { services: ['lending'] }, 'service-not-allowed'],
    ['for it', {}, { services: ['delivery'] }, 'ok'],
    ['for deliveries, of which self-service is one', { service: 'selfservice' }, { services: ['delivery'] }, 'ok'],
    ['for self-service alone, asked for it', { service: 'selfservice' }, { services: ['selfservice'] }, 'ok'],
    ['for self-service alone', {}, { services: ['selfservice'] }, 'service-not-allowed'],
    ['two of a delivery', { quantity: 2 }, {}, 'quantity'],
    ['two of a stock', { type: 'consumable', quantity: 2 }, {}, 'ok'],
    ['none of a stock', { type: 'consumable', quantity: 0 }, {}, 'quantity'],
    ['a refill level below none', { type: 'consumable', refillLevel: -1 }, {}, 'quantity'],
    ['a sale without price', { type: 'sale' }, {}, 'price'],
    ['a sale', { type: 'sale', price: { amount: 100, currency: 'NOK' } }, {}, 'ok'],
    ['a sale for nothing', { type: 'sale', price: { amount: 0, currency: 'NOK' } }, {}, 'price'],
    ['a delivery for nothing', { price: { amount: 0, currency: 'NOK' } }, {}, 'ok'],
    ['half an øre', { type: 'sale', price: { amount: 0.5, currency: 'NOK' } }, {}, 'price'],
    ['a past deadline', { pickupBy: minutes(-1) }, {}, 'deadline'],
    ['a loan of two days', { type: 'lending', loanHours: 48 }, {}, 'ok'],
    ['a loan of no time', { type: 'lending', loanHours: 0 }, {}, 'deadline'],
    ['a loan for ever', { type: 'lending', loanHours: 24 * 400 }, {}, 'deadline'],
    ['a delivery with a loan time', { loanHours: 48 }, {}, 'deadline'],
  ])('%s', (_name, more, odd, expected) => {
    expect(code(register({ ...input, ...more }, { ...ctx, locker: { ...locker, ...odd } }))).toBe(expected);
  });
  it('lends nothing that its label keeps in; a delivery of it is none of that', () => {
    const kept = { ...ctx, lendable: false };
    expect(code(register({ ...input, type: 'lending' }, kept))).toBe('not-lendable');
    expect(code(register(input, kept))).toBe('ok');
  });
  it('knows which services stand for which types', () => {
    const fits = (type: RegisterInput['type']): readonly string[] =>
      SERVICES.filter((service) => register({ ...input, type, service, price: { amount: 1, currency: 'NOK' } }, ctx).ok);
    expect(fits('delivery')).toEqual(['delivery', 'selfservice']);
    expect(fits('sale')).toEqual(['sale', 'storefront']);
    expect(fits('recall')).toEqual(['recall']);
  });
});

describe('what a screen offers', () => {
  it('puts the next likely one first', () => {
    const first = (o: Occupation): string | undefined => allowedActions(o, context())[0];
    expect(first(occupationIn(RESERVED, 'delivery'))).toBe('fill');
    expect(first(occupationIn(RESERVED, 'drop-off'))).toBe('send');
    expect(first(occupationIn(FILLED, 'delivery'))).toBe('send');
    expect(first(occupationIn(FILLED, 'sale'))).toBe('publish');
    expect(first(occupationIn(CONTACTED, 'delivery'))).toBe('claim');
    for (const type of OCCUPATION_TYPES) {
      expect(first(occupationIn(CLAIMING, type, { doorOpenedAt: NOW }))).toBe('finnish');
      expect(first(occupationIn(CLAIMING, type))).not.toBe('finnish');
    }
    expect(allowedActions(occupationIn(TERMINATED, 'delivery'), context())).toEqual([]);
    expect(allowedActions(occupationIn(VACANT, 'delivery'), context())).toContain('move');
  });
});

it('what is said to be empty, or taken out, while its sensor senses something is to be checked', () => {
  for (const [kind, why] of [
    ['empty', 'said-empty'],
    ['extract', 'taken-out'],
  ] as const) {
    const said = (sensed: Context['sensed']) => {
      const { effects, events } = done(occupationIn(CONTACTED, 'delivery'), { kind }, { sensed });
      return { ...effects.find((effect) => effect.kind === 'content'), told: events.map(({ data }) => data?.['denied']) };
    };
    expect(said('occupied')).toMatchObject({ content: 'unknown', why: 'still-sensed', told: [true] });
    for (const sensed of ['empty', 'unknown', null] as const)
      expect(said(sensed)).toMatchObject({ content: 'empty', why, told: [undefined] });
  }
  const nothing = done(occupationIn(STAGES.INITIATED, 'delivery'), { kind: 'nothing-inside' }, { sensed: 'occupied' });
  expect(nothing.effects).toContainEqual(expect.objectContaining({ kind: 'content', content: 'unknown', why: 'still-sensed' }));
  expect(nothing.events).toEqual([{ type: 'locker_empty', data: { denied: true } }]);
});

it('a receiver told at an address that is corrected afterwards knows nothing yet, whatever becomes of that message, until one is sent anew', () => {
  const [wrong, right] = ['+4791234567', '+4791234576'].map((tlf) => ({ name: 'Kari', tlf, email: null }));
  if (!wrong || !right) throw new Error('two receivers');
  const told = occupationIn(CONTACTED, 'delivery', { receiver: wrong });
  expect(done(told, { kind: 'amend', receiver: { ...wrong, name: 'Kari N.' } }).occupation.contactError).toBeNull();
  const corrected = done(told, { kind: 'amend', receiver: right }).occupation;
  expect(corrected).toMatchObject({ stage: CONTACTED, contactError: 'address-changed' });
  expect(done(corrected, { kind: 'message-accepted' }).occupation.contactError).toBe('address-changed');
  expect(done(corrected, { kind: 'send' }).occupation).toMatchObject({ stage: STAGES.CONTACTING, contactError: null });
  // Corrected while they are let in, of which nothing comes.
  const claiming = done(told, { kind: 'claim' }).occupation;
  const back = done(done(claiming, { kind: 'amend', receiver: right }).occupation, { kind: 'return' }).occupation;
  expect(back).toMatchObject({ stage: CONTACTED, receiver: right, contactError: 'address-changed' });
  // While they are being called: what is not on its way yet need not be waited for.
  const calling = occupationIn(STAGES.CONTACTING, 'delivery', { receiver: wrong });
  expect(done(calling, { kind: 'amend', receiver: right }).effects).toContainEqual({ kind: 'settle-message' });
  for (const [o, receiver] of [
    [calling, { ...wrong, name: 'Kari N.' }],
    [told, right],
  ] as const)
    // prettier-ignore
    expect(done(o, { kind: 'amend', receiver }).effects).not.toContainEqual({ kind: 'settle-message' });
  const untold = occupationIn(ACQUIRABLE, 'delivery', { receiver: wrong });
  expect(done(untold, { kind: 'amend', receiver: right }).occupation.contactError).toBeNull();
});
