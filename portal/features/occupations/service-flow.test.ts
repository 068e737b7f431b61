import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { emptyDraft, faultIn, firstFault, nextParcel, registrationOf, settled, stepAfter, withoutDoor, type Draft } from './draft.ts';
import { occupations } from '../../i18n/en/occupations.ts';
import { en } from '../../i18n/en/catalogue.ts';
import { nb } from '../../i18n/nb/catalogue.ts';
import { after, before, FILL_SERVICES, placeOf, PLANS, stepsOf, stepWord } from './plan.ts';
import {
  against,
  givesWay,
  hasMainOne,
  heardOpen,
  isJammed,
  isTaken,
  lossOf,
  mayStartOver,
  sceneOf,
  wantsWords,
  type Attempt,
} from './running.ts';
import { moveTo, walkedIn } from './walked.ts';
import { wordsOf } from './who-told.ts';

const draft = { ...emptyDraft('asset', 'k1'), text: ' Laptop ', receiver: { name: 'Kari Nordmann', tlf: '912 34 567', email: '' } };

const BARE = stepsOf(PLANS.delivery, { shop: false, tool: false });

describe('the steps', () => {
  // shows R2.34
  it('shows what is connected and counts what is shown', () => {
    const bare = stepsOf(PLANS.delivery, { shop: false, tool: false });
    expect(bare).toEqual(['asset', 'receiver', 'locker', 'summary']);
    expect(stepsOf(PLANS.delivery, { shop: true, tool: false })).toEqual(['asset', 'order', 'receiver', 'locker', 'summary']);
    const whole = ['request', 'asset', 'order', 'receiver', 'locker', 'summary'];
    for (const service of ['delivery', 'selfservice'] as const) expect(stepsOf(PLANS[service], { shop: true, tool: true })).toEqual(whole);
    expect(stepsOf(PLANS.lending, { shop: true, tool: true })).toEqual(['asset', 'locker', 'summary']);
    expect(placeOf(bare, 'receiver')).toBe(2);
  });

  // shows R2.13, R2.14, R2.34, R2.38, R2.39, R2.40, R2.41
  it('are each service’s own, and so is its word for giving up', () => {
    expect(Object.fromEntries(FILL_SERVICES.map((service) => [service, PLANS[service].steps.join(' ')]))).toEqual({
      delivery: 'request asset order receiver locker summary',
      selfservice: 'request asset order receiver locker summary',
      storage: 'summary',
      lending: 'asset locker summary',
      consumable: 'asset locker summary',
      sale: 'asset price locker summary',
      recall: 'asset receiver locker summary',
      'drop-off': 'receiver locker summary',
    });
    expect(FILL_SERVICES.filter((service) => PLANS[service].assetSource === 'tcm')).toEqual(['selfservice']);
    const { step, abort } = occupations;
    expect([step.request, step.asset, step.order, step.receiver, step.locker, step.summary]).toEqual([
      'Self service',
      'Pick equipment',
      'Pick order',
      'Pick receiver',
      'Pick locker',
      'Summary',
    ]);
    expect(abort.word).toEqual({
      delivery: 'Abort Delivery',
      selfservice: 'Abort',
      storage: 'Abort Storage',
      lending: 'Abort Lending',
      consumable: 'Remove Consumable',
      sale: 'Abort',
      recall: 'Abort',
      'drop-off': 'Abort Drop-Off',
    });
  });

  it('goes on and back without leaving the row', () => {
    const steps = stepsOf(PLANS.delivery, { shop: false, tool: false });
    expect(after(steps, 'asset')).toBe('receiver');
    expect(after(steps, 'summary')).toBe('summary');
    expect(before(steps, 'asset')).toBe('asset');
    expect(before(steps, 'locker')).toBe('receiver');
    expect(before(steps, 'order')).toBe('asset');
  });
});

describe('what a step lacks', () => {
  // shows R3.9
  it('is an asset or a free text', () => {
    expect(faultIn(emptyDraft('asset', 'k'), 'asset', BARE, PLANS.delivery)).toEqual({ alert: 'asset' });
    expect(faultIn(draft, 'asset', BARE, PLANS.delivery)).toBeNull();
  });

  it('is no asset yet where an order may bring it, and one where none did', () => {
    const steps = stepsOf(PLANS.delivery, { shop: true, tool: false });
    const empty = emptyDraft('asset', 'k');
    expect(faultIn(empty, 'asset', steps, PLANS.delivery)).toBeNull();
    expect(firstFault(empty, steps, PLANS.delivery, 'order')).toBeNull();
    expect(firstFault(empty, steps, PLANS.delivery)).toEqual({ step: 'order', fault: { alert: 'order' } });
    expect(firstFault({ ...empty, orderRef: 'by hand' }, steps, PLANS.delivery)).toEqual({ step: 'asset', fault: { alert: 'asset' } });
    expect(faultIn({ ...empty, text: '2 × Boots' }, 'order', steps, PLANS.delivery)).toBeNull();
  });

  // shows R5.28
  it('is a name and one way to reach the receiver', () => {
    expect(faultIn({ ...draft, receiver: { name: '', tlf: '12', email: '' } }, 'receiver', BARE, PLANS.delivery)).toEqual({
      alert: 'receiver',
      fields: ['name', 'tlf'],
    });
    expect(faultIn({ ...draft, receiver: { name: 'K', tlf: '', email: '' } }, 'receiver', BARE, PLANS.delivery)).toMatchObject({
      fields: ['contact'],
    });
    for (const email of ['ola', 'ola@', 'ola@x', 'ola @example.test'])
      expect(faultIn({ ...draft, receiver: { name: 'K', tlf: '', email } }, 'receiver', BARE, PLANS.delivery)).toMatchObject({
        fields: ['email'],
      });
    expect(faultIn({ ...draft, receiver: { name: 'K', tlf: '', email: 'ola@example.test' } }, 'receiver', BARE, PLANS.delivery)).toBeNull();
    expect(faultIn(draft, 'receiver', BARE, PLANS.delivery)).toBeNull();
  });

  it('is found before the summary is reached', () => {
    const steps = stepsOf(PLANS.delivery, { shop: false, tool: false });
    expect(firstFault({ ...draft, text: '' }, steps, PLANS.delivery)?.step).toBe('asset');
    expect(firstFault(draft, steps, PLANS.delivery)).toBeNull();
  });
});

describe('the registration', () => {
  it('carries the free text, and the number as it was typed', () => {
    expect(registrationOf(draft, PLANS.delivery, 'l1')).toEqual({
      type: 'delivery',
      lockerId: 'l1',
      assetText: 'Laptop',
      receiver: { name: 'Kari Nordmann', tlf: '912 34 567', email: null },
    });
  });

  it('prefers the asset that was picked, and tells self-service apart', () => {
    const picked = { ...draft, asset: { id: 'a1', name: 'Laptop 7' } };
    expect(registrationOf(picked, PLANS.selfservice, 'l1')).toMatchObject({ service: 'selfservice', assetId: 'a1' });
    expect(registrationOf(picked, PLANS.selfservice, 'l1')).not.toHaveProperty('assetText');
    // it lies nowhere else, unless somebody gave their word that it is in their hand
    expect(registrationOf(picked, PLANS.selfservice, 'l1')).toHaveProperty('assetUnused', true);
    expect(registrationOf({ ...picked, sureOf: 'a1' }, PLANS.selfservice, 'l1')).not.toHaveProperty('assetUnused');
  });

  it('keeps all that was typed when a door is lost, under a new key', () => {
    const next = withoutDoor({ ...draft, lockerId: 'l1' }, { id: 'l1', size: 'M' }, 'k2');
    expect(next).toMatchObject({ text: ' Laptop ', receiver: draft.receiver, lockerId: null, tried: ['l1'], key: 'k2' });
    expect(withoutDoor(next, { id: 'l1', size: 'M' }, 'k3').tried).toEqual(['l1']);
  });

  it('keeps the receiver alone for the next parcel', () => {
    expect(nextParcel({ ...draft, tried: ['l1'] }, 'asset', 'k2')).toMatchObject({
      text: '',
      receiver: draft.receiver,
      samePerson: true,
      tried: [],
    });
  });

  it('passes the known receiver over on the way on, and nobody else', () => {
    const steps = stepsOf(PLANS.delivery, { shop: false, tool: false });
    const on = (from: Draft, step: 'asset' | 'receiver') => stepAfter(from, step, steps, PLANS.delivery);
    const same = nextParcel(draft, 'asset', 'k2');
    expect(on(same, 'asset')).toBe('locker');
    expect(on(same, 'receiver')).toBe('locker');
    expect(on(draft, 'asset')).toBe('receiver');
    expect(on({ ...same, receiver: { ...same.receiver, tlf: '' } }, 'asset')).toBe('receiver');
  });
});

describe('what the last step shows', () => {
  const locker = (door: 'opened' | 'closed' | 'unknown', outcome?: 'pending' | 'refused' | 'no-answer' | 'opened') => ({
    door,
    lock: 'locked' as 'locked' | 'unlocked',
    occupancy: 'unknown' as const,
    connection: 'online' as const,
    lastCommand:
      outcome === undefined
        ? null
        : { id: 'c', op: 'open' as const, at: '', by: { kind: 'person' as const, id: 'p', name: 'P' }, outcome, code: null },
  });
  const scene = (stage: number, at: Parameters<typeof sceneOf>[1], attempt: Attempt = null, byHand = false) =>
    sceneOf({ type: 'delivery', stage, contactError: [], quantity: null, endReason: null, awaitsWord: false }, at, attempt, byHand);

  it('follows a parcel from the reservation to the message', () => {
    expect(scene(0, locker('closed'))).toBe('reserved');
    expect(scene(0, locker('closed'), { state: 'waiting' })).toBe('opening');
    expect(scene(1, locker('opened'), { state: 'opened' })).toBe('ajar');
    expect(scene(1, locker('closed'), { state: 'opened' })).toBe('settling');
    const shut = { type: 'delivery', stage: 1, contactError: [], quantity: null, endReason: null, awaitsWord: true } as const;
    for (const lock of ['locked', 'unlocked'] as const)
      expect(sceneOf({ ...shut, contactError: [] }, { ...locker('closed'), lock }, { state: 'opened' }, false)).toBe('unsaid');
    expect([2, 4, 5, 99].map((stage) => scene(stage, locker('closed')))).toEqual(['filled', 'sending', 'told', 'ended']);
  });

  it('claims of nobody that they do not know what they may have been told, nor of a storage that it waits for its owner', () => {
    const at = (type: 'delivery' | 'storage', stage: number, contactError: string[] = []) =>
      sceneOf({ type, stage, contactError, quantity: null, endReason: null, awaitsWord: false }, locker('closed'), null, false);
    expect([2, 3, 5].map((stage) => at('storage', stage))).toEqual(['kept', 'kept', 'kept-sent']);
    expect(at('storage', 5, ['no such subscriber'])).toBe('not-told');
    // whose owner was told of it and has been there since is done with here, and not to be told once more by an Enter
    const visited = (message: string) =>
      sceneOf(
        { type: 'storage', stage: 3, contactError: [], quantity: null, endReason: null, awaitsWord: false },
        locker('closed'),
        null,
        false,
        message,
      );
    expect(['accepted', 'delivered', 'failed', 'unknown'].map(visited)).toEqual(['kept-sent', 'kept-sent', 'kept', 'kept']);
    // Put back, it is offered again to whoever was told of it.
    expect([2, 3, 5].map((stage) => at('delivery', stage))).toEqual(['filled', 'kept', 'told']);
    for (const { terms, occupations } of [en, nb]) {
      const said = JSON.stringify([
        occupations.scene.filled,
        occupations.scene.kept,
        occupations.scene['kept-sent'],
        terms.stage,
        terms.lockerState,
      ]);
      expect(said).not.toMatch(/does not know|vet ikke|picked up|hent|notified\b(?! since)|varslet\b(?! siden)/iu);
    }
  });

  it('asks to push a door shut whose lock did not catch', () => {
    expect(scene(1, { ...locker('closed'), lock: 'unlocked' }, { state: 'opened' })).toBe('not-locked');
    expect(scene(1, { ...locker('opened'), lock: 'unlocked' }, { state: 'opened' })).toBe('ajar');
    expect(scene(1, { ...locker('closed'), lock: 'unlocked', occupancy: 'empty' }, { state: 'opened' })).toBe('sensed-empty');
  });

  it('gives way to a door that stands open again, and to a doubt', () => {
    const filled = { ...locker('closed'), inDoubt: false };
    const away = (one: typeof filled) =>
      (['filled', 'kept', 'kept-sent', 'stocked', 'published', 'told', 'not-told', 'brought'] as const).map((on) => against(on, one));
    expect(new Set(away(filled))).toEqual(new Set([null]));
    expect(new Set(away({ ...filled, door: 'opened' }))).toEqual(new Set(['open']));
    expect(new Set(away({ ...filled, inDoubt: true }))).toEqual(new Set(['doubt']));
    // Told as taken while its sensor denies it, it is free for nobody.
    expect(against('delivered', { ...filled, inDoubt: true })).toBe('doubt');
    // Being filled or fetched, a door stands open by right.
    expect((['ajar', 'claimed', 'visited', 'ended'] as const).map((on) => against(on, { ...filled, door: 'opened' }))).toEqual([
      null, null, null, null,
    ]); // prettier-ignore
  });

  it('starts over what counts as filled only where nothing planned is lost by it', () => {
    const types = ['delivery', 'lending', 'storage', 'consumable', 'sale'] as const;
    expect(types.filter((type) => mayStartOver({ type, actions: ['extract', 'empty'] }))).toEqual(['delivery', 'lending']);
    expect(types.filter((type) => mayStartOver({ type, actions: ['extract'] }))).toEqual([]);
  });

  it('says delivered only when its receiver took it', () => {
    const ended = (type: 'delivery' | 'storage', endReason: 'taken' | 'taken-out' | 'cancelled') =>
      sceneOf({ type, stage: 98, contactError: [], quantity: null, endReason, awaitsWord: false }, locker('closed'), null, false);
    expect(ended('delivery', 'taken')).toBe('delivered');
    expect(ended('delivery', 'taken-out')).toBe('ended');
    expect(ended('delivery', 'cancelled')).toBe('ended');
    expect(ended('storage', 'taken')).toBe('unstored');
    expect(ended('storage', 'cancelled')).toBe('ended');
  });

  it('says who or what told that it was taken, and that nobody did', () => {
    const told = (kind: 'person' | 'system', name: string, data = {}) =>
      wordsOf({ actor: { kind, id: null, name }, data }, 'A-1', ((key: string) => key) as TFunction);
    expect(told('person', 'Ingrid')).toBe('occupations.told.said');
    expect(told('person', '')).toBe('occupations.told.somebody');
    // The owner of a storage says that the locker is empty: whether anything was taken just now nobody said.
    expect(told('person', 'Ingrid', { saidEmpty: true })).toBe('occupations.told.saidEmpty');
    expect(told('person', '', { saidEmpty: true })).toBe('occupations.told.somebodyEmpty');
    expect(told('system', 'Hatchway')).toBe('occupations.told.sensor');
    expect(told('system', 'Hatchway', { assumed: true })).toBe('occupations.told.assumed');
    expect((['delivered', 'lent', 'fetched'] as const).every(isTaken)).toBe(true);
    expect(isTaken('ended')).toBe(false);
  });

  it('believes the sensed door over a lost answer', () => {
    expect(scene(0, locker('opened'), { state: 'no-answer' })).toBe('ajar');
  });

  it('never says that a door opened when nobody said so', () => {
    expect(scene(0, locker('closed'), { state: 'refused' })).toBe('refused');
    expect(scene(0, locker('unknown'), { state: 'offline' })).toBe('offline');
    expect(scene(0, locker('closed'), { state: 'opened' })).toBe('opened-unseen');
    expect(scene(1, locker('unknown'))).toBe('opened-unseen');
  });

  it('does not promise to fill what the sensor finds empty, nor call shut what it could not see', () => {
    expect(scene(1, { ...locker('closed'), occupancy: 'empty' }, { state: 'opened' })).toBe('sensed-empty');
    const blind = locker('closed', 'refused');
    expect(scene(0, { ...blind, lastCommand: blind.lastCommand && { ...blind.lastCommand, code: 'door-not-seen-open' } })).toBe('not-seen');
    expect(scene(0, blind)).toBe('refused');
  });

  it('lets no stray Enter say what no sensor senses', () => {
    const on = (occupancy: 'empty' | 'occupied' | 'unknown') => ({ occupancy });
    for (const one of ['ajar', 'sensed-empty', 'opened-unseen', 'by-hand', 'settling', 'unsaid', 'not-locked'] as const)
      expect([one, wantsWords(one, on('unknown'))]).toEqual([one, true]);
    // Sensed it is, but it may be what lay there before.
    expect((['unsaid', 'settling'] as const).map((one) => wantsWords(one, on('occupied')))).toEqual([true, false]);
    expect((['reserved', 'refused', 'filled', 'told'] as const).some((one) => wantsWords(one, on('unknown')))).toBe(false);
    expect((['sensed-empty', 'unsaid', 'settling'] as const).map(hasMainOne)).toEqual([false, false, true]);
  });

  it('knows after a reload how the last command ended', () => {
    expect(scene(0, locker('closed', 'no-answer'))).toBe('no-answer');
    expect(scene(0, locker('closed', 'pending'))).toBe('opening');
  });

  it('does not claim that a message is on its way when nobody knows', () => {
    expect(
      sceneOf(
        { type: 'delivery', stage: 4, contactError: [], quantity: null, endReason: null, awaitsWord: false },
        locker('closed'),
        null,
        false,
        'unknown',
      ),
    ).toBe('unsure');
    expect(
      sceneOf(
        { type: 'delivery', stage: 4, contactError: [], quantity: null, endReason: null, awaitsWord: false },
        locker('closed'),
        null,
        false,
        'sent',
      ),
    ).toBe('sending');
  });

  it('offers to send again when the message failed', () => {
    expect(
      sceneOf(
        { type: 'delivery', stage: 3, contactError: ['refused'], quantity: null, endReason: null, awaitsWord: false },
        locker('closed'),
        null,
        false,
      ),
    ).toBe('not-told');
    const late = {
      type: 'delivery',
      stage: 5,
      contactError: ['no such subscriber'],
      quantity: null,
      endReason: null,
      awaitsWord: false,
    } satisfies Parameters<typeof sceneOf>[0];
    expect(sceneOf(late, locker('closed'), null, false)).toBe('not-told');
    expect(sceneOf({ ...late, contactError: [] }, locker('closed'), null, false)).toBe('told');
  });

  it('offers what lies on a shelf to all who may, and knows when it is out or gone', () => {
    const shelf = (type: 'lending' | 'consumable' | 'sale', stage: number, more: { quantity?: number | null; dueAt?: string } = {}) =>
      sceneOf({ type, stage, contactError: [], quantity: 3, endReason: null, awaitsWord: false, ...more }, locker('closed'), null, false);
    expect([2, 3, 6].map((stage) => shelf('lending', stage))).toEqual(['stocked', 'published', 'claimed']);
    expect(shelf('lending', 7, { quantity: null, dueAt: '2026-05-01T12:00:00Z' })).toBe('lent');
    expect(shelf('lending', 7, { quantity: null })).toBe('taken-back');
    expect(shelf('consumable', 7, { quantity: 0 })).toBe('sold-out');
    expect(shelf('consumable', 7)).toBe('taken-back');
  });

  it('tells who was asked apart from who stands at the door', () => {
    const request = (stage: number, message?: string, attempt: Attempt = null, door: 'opened' | 'closed' = 'closed') =>
      sceneOf(
        { type: 'drop-off', stage, contactError: [], quantity: null, endReason: null, awaitsWord: false },
        locker(door),
        attempt,
        false,
        message,
      );
    expect([undefined, 'queued', 'sent', 'accepted', 'failed', 'unknown'].map((message) => request(0, message))).toEqual([
      'unasked',
      'asking',
      'asking',
      'asked',
      'not-asked',
      'ask-unsure',
    ]);
    expect(request(1, 'accepted', null, 'opened')).toBe('bringing');
    expect(request(1, 'accepted', { state: 'opened' }, 'opened')).toBe('ajar');
    expect(request(3, 'accepted')).toBe('brought');
  });

  it('says what ending it would lose', () => {
    const [before, made, after] = ['2026-03-02T10:00:00.000Z', '2026-03-02T10:00:05.000Z', '2026-03-02T10:00:09.000Z'] as const;
    expect(lossOf(null, null)).toBe('draft');
    expect([0, 1, 2, 5].map((stage) => lossOf({ stage, createdAt: made }, null))).toEqual(['reserved', 'doubt', 'content', 'content']);
    expect(lossOf({ stage: 0, createdAt: made }, undefined)).toBe('asked');
    const command = { id: 'c', op: 'open', by: { kind: 'person', id: 'p', name: 'Ada' }, outcome: 'offline', code: null } as const;
    expect([before, after].map((at) => lossOf({ stage: 0, createdAt: made }, { ...command, at }))).toEqual(['reserved', 'asked']);
  });
});

describe('whether a door was heard to open for what is to be said now', () => {
  const at = '2026-03-02T12:00:00.000Z';
  // The opening of what is out is written down with it, a moment after the command.
  const noted = '2026-03-02T12:01:00.062Z';
  const last = { id: 'c', op: 'open' as const, outcome: 'opened' as const, at: '2026-03-02T12:01:00.000Z', by: null, code: null };
  const shut = { door: 'closed' as const, connection: 'online' as const, lastCommand: null };
  const heard = (locker: object, stage = 7) => heardOpen({ stage, stageAt: at, updatedAt: noted }, { ...shut, ...locker });

  it('takes the controller’s word and the sensor’s, of now or since the record changed', () => {
    expect(heard({})).toBe(false);
    expect(heardOpen({ stage: 7, stageAt: at, updatedAt: noted }, undefined)).toBe(false);
    expect(heard({ door: 'opened' })).toBe(true);
    expect(heard({ lastCommand: last })).toBe(true);
    expect(heard({ lastCommand: last }, 3)).toBe(false);
    expect(heard({}, 1)).toBe(true);
  });

  it('takes neither what opened it before, nor what did not open it, nor what cannot be heard', () => {
    expect(heard({ lastCommand: { ...last, at: '2026-03-02T11:00:00.000Z' } })).toBe(false);
    for (const outcome of ['refused', 'no-answer', 'pending']) expect(heard({ lastCommand: { ...last, outcome } })).toBe(false);
    expect(heard({ door: 'opened', connection: 'offline' })).toBe(false);
  });
});

describe('the other services', () => {
  const draft = { ...emptyDraft('asset', 'k'), text: 'Gloves', receiver: { name: 'Kari', tlf: '91234567', email: '' } };
  it('have the steps of their row', () => {
    const steps = (service: keyof typeof PLANS) => stepsOf(PLANS[service], { shop: false, tool: false }).join(' ');
    expect(steps('storage')).toBe('summary');
    expect(steps('lending')).toBe('asset locker summary');
    expect(steps('consumable')).toBe('asset locker summary');
    expect(steps('sale')).toBe('asset price locker summary');
    expect(steps('recall')).toBe('asset receiver locker summary');
    expect(steps('drop-off')).toBe('receiver locker summary');
    expect(stepWord(PLANS.recall, 'receiver')).toBe('person');
    expect(stepWord(PLANS.delivery, 'receiver')).toBe('receiver');
  });
  it('want whole pieces, a refill level that is one, and an amount', () => {
    const lacks = (more: Partial<Draft>) => faultIn({ ...draft, ...more }, 'asset', BARE, PLANS.consumable);
    expect(lacks({ quantity: '20', refillLevel: '' })).toBeNull();
    expect(lacks({ quantity: '1 000', refillLevel: '0' })).toBeNull();
    for (const quantity of ['', '0', '1.5', '-1', 'ten', '100001']) expect(lacks({ quantity })).toMatchObject({ fields: ['quantity'] });
    expect(lacks({ refillLevel: 'some' })).toMatchObject({ fields: ['refillLevel'] });
    const price = (typed: string) => faultIn({ ...draft, price: typed }, 'price', BARE, PLANS.sale);
    for (const typed of ['89', '89,5', '89.50', '1 200,00']) expect(price(typed)).toBeNull();
    for (const typed of ['', '0', '0,00', '89.505', '-1', 'free']) expect(price(typed)).toMatchObject({ fields: ['price'] });
    expect(faultIn(emptyDraft('summary', 'k'), 'summary', BARE, PLANS.storage)).toMatchObject({ fields: ['name', 'contact'] });
    expect(faultIn(emptyDraft('summary', 'k'), 'summary', BARE, PLANS.lending)).toBeNull();
  });
  it('register what each is about, and nothing of the others', () => {
    const full = { ...draft, quantity: '4', refillLevel: '2', price: '89,50', hours: 24 };
    const of = (service: keyof typeof PLANS) => registrationOf(settled(full, Date.parse('2026-05-01T12:00:00Z')), PLANS[service], 'l1');
    const what = { lockerId: 'l1', assetText: 'Gloves' };
    const receiver = { name: 'Kari', tlf: draft.receiver.tlf, email: null };
    expect(of('consumable')).toEqual({ type: 'consumable', ...what, quantity: 4, refillLevel: 2 });
    expect(of('sale')).toEqual({ type: 'sale', ...what, quantity: 4, price: { amount: 8950, currency: 'NOK' } });
    expect(of('lending')).toEqual({ type: 'lending', ...what, loanHours: 24 });
    expect(of('storage')).toEqual({ type: 'storage', ...what, receiver, pickupBy: '2026-05-02T12:00:00.000Z' });
    expect(of('drop-off')).toEqual({ type: 'drop-off', ...what, receiver });
  });
});

describe('the browser’s history of a flow', () => {
  const steps = stepsOf(PLANS.delivery, { shop: false, tool: false });
  it('has an entry for each step that was walked, and goes back to one instead of stepping on', () => {
    expect(moveTo([], 'asset', steps)).toEqual({ kind: 'replace', walked: ['asset'] });
    expect(moveTo(['asset'], 'receiver', steps)).toEqual({ kind: 'push', walked: ['asset', 'receiver'] });
    expect(moveTo(['asset', 'receiver', 'locker', 'summary'], 'asset', steps)).toEqual({ kind: 'go', by: -3 });
    expect(moveTo(['asset', 'receiver'], 'receiver', steps)).toEqual({ kind: 'stay' });
  });
  it('never leads on by Back where the flow was entered in its middle', () => {
    expect(moveTo(['locker'], 'receiver', steps)).toEqual({ kind: 'replace', walked: ['receiver'] });
    expect(moveTo(['asset', 'locker'], 'receiver', steps)).toEqual({ kind: 'replace', walked: ['asset', 'receiver'] });
  });
  it('is read from an entry of these steps alone, and by its address where the way is forgotten', () => {
    const entry = (step: string, state: object) => walkedIn({ search: step === '' ? '' : `?step=${step}`, state }, steps);
    expect(entry('receiver', { walked: ['asset', 'receiver'] })).toEqual(['asset', 'receiver']);
    for (const state of [{}, { walked: 'asset' }, { walked: ['asset', 'order'] }, { walked: [7] }, { walked: ['asset'] }])
      expect(entry('receiver', state)).toEqual(['receiver']);
    expect(entry('', {})).toEqual([]);
    expect(entry('order', {})).toEqual([]);
  });
});

it('a jam is called so from the first answer on, before the door is read anew', () => {
  const last = (code: string | null) => ({ lastCommand: { op: 'open', outcome: 'refused', code } }) as Parameters<typeof isJammed>[1];
  expect(isJammed({ state: 'refused', jam: true }, undefined)).toBe(true);
  expect(isJammed({ state: 'refused', jam: true }, last(null))).toBe(true);
  expect(isJammed({ state: 'refused', jam: false }, last('jammed'))).toBe(false);
  expect([isJammed(null, last('jammed')), isJammed(null, last('blocked')), isJammed(null, undefined)]).toEqual([true, false, false]);
});

it('the reminder of a loan is said to go out by the button that sends it, too', () => {
  for (const {
    templates,
    occupations: { manage },
  } of [en, nb])
    expect(templates.when['reminder-loan']).toContain(manage.action.remind);
});

describe('when somebody comes back', () => {
  type Door = NonNullable<Parameters<typeof givesWay>[1]>;
  const shut: Door = { door: 'closed', lock: 'locked', lastCommand: null, occupation: null };
  const DONE = ['told', 'published', 'lent', 'kept-sent', 'delivered', 'ended', 'taken-back'] as const;
  const WANTING = ['filled', 'kept', 'not-told', 'sending', 'unsure', 'asked', 'settling', 'reserved'] as const;
  const giving = (door: Door | undefined) => DONE.filter((scene) => givesWay(scene, door, 'o1'));
  const use = (id: string): Door['occupation'] => ({ id, stage: 5, type: 'delivery', overdue: false });

  it('what is done gives way to the next one, and not what wants a word or a look', () => {
    expect(giving(shut)).toEqual(DONE);
    expect(WANTING.filter((scene) => givesWay(scene, shut, 'o1'))).toEqual([]);
    expect(givesWay(null, shut, 'o1')).toBe(false);
  });
  it('nor what was done behind a door that was heard to stand open, or not to be locked', () => {
    expect(giving({ ...shut, door: 'opened' })).toEqual([]);
    expect(giving({ ...shut, lock: 'unlocked' })).toEqual([]);
    expect(giving({ ...shut, door: 'opened', occupation: use('o1') })).toEqual([]);
  });
  it('but for a door of which nothing is heard, or which serves another use by now', () => {
    expect(giving({ ...shut, door: 'unknown' })).toEqual(DONE);
    expect(giving(undefined)).toEqual(DONE);
    expect(giving({ ...shut, door: 'opened', occupation: use('o2') })).toEqual(DONE);
  });
});
