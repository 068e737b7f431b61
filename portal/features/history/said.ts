import { isJam } from '@hatchway/domain/doors.ts';
import { movedDeadline } from '@hatchway/domain/history.ts';
import type { Price } from '@hatchway/domain/price.ts';
import { NOT_SEEN } from '@hatchway/domain/terms.ts';
import type { TFunction } from 'i18next';
import { deadline } from '../../app/dates.ts';
import { majorOf } from '../../app/money.ts';
import type { HistoryEvent } from '../../app/queries.ts';
import { isKnown } from './words.ts';

type Told = Pick<HistoryEvent, 'type' | 'data'>;
const REPORTS = ['wrong-door', 'jammed', 'not-empty', 'left-behind', 'nothing-inside', 'door-stays-open'] as const;
const ALERTS = ['forced', 'tamper', 'left-open', 'contact'] as const;
const DOUBTS = ['silent', 'unseen', 'aborted', 'reset', 'still-sensed', 'not-sensed', 'sensor', 'cut-off', 'put-elsewhere'] as const;

/** What was the matter with the door or its content: in one word, whether its controller said it or whoever stood there. */
const troubleOf = (data: HistoryEvent['data'], t: TFunction): string => {
  const report = REPORTS.find((one) => one === data['report']);
  if (report !== undefined) return t('history.said.reported', { text: t(`history.said.trouble.${report}`) });
  const alert = ALERTS.find((one) => one === data['alert']);
  if (alert !== undefined) return t(`history.said.trouble.${alert}`);
  const doubt = DOUBTS.find((one) => one === data['why']);
  if (doubt !== undefined) return t(`history.said.doubt.${doubt}`);
  if (data['denied'] === true) return t('history.said.doubt.still-sensed');
  if (data['seen'] === false) return t('history.said.notSeen');
  if (data['why'] === 'seen-later') return t('history.said.seenLater');
  if (data['unexpected'] === true) return t('history.said.unexpected');
  if (data['late'] === true) return t('history.said.late');
  if (data['by'] === 'sensor') return t('history.said.bySensor');
  if (data['code'] === NOT_SEEN) return t('history.said.trouble.not-seen');
  return isJam(data['code']) ? t('history.said.trouble.jammed') : '';
};

/** Until when somebody let it last. */
const untilWhen = (event: Told, t: TFunction, zone: string | undefined, alone: boolean): string => {
  const moved = movedDeadline(event);
  if (moved?.alone !== alone) return '';
  return t(moved.extended ? 'history.extendedUntil' : 'history.newDeadline', { time: deadline(moved.until, zone) });
};

/** What happened, by its name; `zone`: the company's; where no sensor saw it, whose word it is. */
export const wordOf = (event: Told, t: TFunction, zone?: string): string => {
  const { type, data } = event;
  if ((type === 'locker_empty' && data['denied'] === true) || (type === 'occupation_claimed' && data['saidEmpty'] === true))
    return t('history.saidEmpty');
  const word = untilWhen(event, t, zone, true) || (isKnown(type) ? t(`history.events.${type}`) : type);
  return data['seen'] === false ? t('history.saysController', { event: word }) : word;
};
/** For whom staff did it: the content is not theirs. */
const forWhom = ({ data }: Told, t: TFunction): string =>
  data['staff'] === true && typeof data['receiver'] === 'string' ? t('history.said.forNamed', { name: data['receiver'] }) : '';

/** What else was changed than how long it may last: whom it is for is in no history, which outlives their data. */
const whatElse = ({ type, data }: Told, t: TFunction): string => {
  if (type !== 'occupation_amended') return '';
  const { fields, price } = data as { fields?: unknown; price?: Price };
  return [
    Array.isArray(fields) && fields.includes('receiver') ? t('history.said.receiver') : '',
    price
      ? t('history.said.price', {
          amount: majorOf(price.amount, price.currency),
          formatParams: { amount: { currency: price.currency } },
        })
      : '',
  ]
    .filter(Boolean)
    .join(' · ');
};

/** How many pieces went in, were let out or were taken, where the event knows it. */
const howMany = ({ type, data }: Told, t: TFunction): string =>
  type.startsWith('occupation_') && typeof data['quantity'] === 'number' ? t('history.said.quantity', { count: data['quantity'] }) : '';

/** Why a locker was taken from use. */
const whyOut = ({ type, data }: Told, t: TFunction): string =>
  type === 'locker_out_of_service' && typeof data['reason'] === 'string' ? t('history.said.reason', { text: data['reason'] }) : '';

/** What no reader may miss beside the event's name: for whom it was done, of how many pieces, that nobody said it, and what was the matter with the door. */
export const besideOf = (event: Told, t: TFunction, zone?: string): string =>
  [
    forWhom(event, t),
    howMany(event, t),
    untilWhen(event, t, zone, false),
    whatElse(event, t),
    event.data['assumed'] === true ? t('history.assumed') : '',
    troubleOf(event.data, t),
    whyOut(event, t),
  ]
    .filter(Boolean)
    .join(' · ');

/** What an event says beside its name: how many, in what condition, why. */
export const saidOf = ({ type, data }: Told, t: TFunction, zone?: string): string =>
  [
    forWhom({ type, data }, t),
    untilWhen({ type, data }, t, zone, false),
    whatElse({ type, data }, t),
    troubleOf(data, t),
    data['assumed'] === true ? t('history.said.assumed') : '',
    howMany({ type, data }, t),
    typeof data['condition'] === 'string' ? t('history.said.condition', { text: data['condition'] }) : '',
    typeof data['reason'] === 'string' && data['reason'] !== ''
      ? t('history.said.reason', {
          text:
            data['reason'] === 'lost' || data['reason'] === 'returned-elsewhere' || data['reason'] === 'not-empty'
              ? t(`history.said.${data['reason']}`)
              : data['reason'],
        })
      : '',
  ]
    .filter(Boolean)
    .join(' · ');
