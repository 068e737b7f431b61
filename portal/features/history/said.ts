import { isJam } from '@hatchway/domain/doors.ts';
import { NOT_SEEN } from '@hatchway/domain/terms.ts';
import type { TFunction } from 'i18next';
import type { HistoryEvent } from '../../app/queries.ts';

const REPORTS = ['wrong-door', 'jammed', 'not-empty', 'nothing-inside', 'door-stays-open'] as const;
const ALERTS = ['forced', 'tamper', 'left-open'] as const;

/** What was the matter with the door: in one word, whether its controller said it or whoever stood there. */
const troubleOf = (data: HistoryEvent['data'], t: TFunction): string => {
  const report = REPORTS.find((one) => one === data['report']);
  if (report !== undefined) return t('history.said.reported', { text: t(`history.said.trouble.${report}`) });
  const alert = ALERTS.find((one) => one === data['alert']);
  if (alert !== undefined) return t(`history.said.trouble.${alert}`);
  if (data['code'] === NOT_SEEN) return t('history.said.trouble.not-seen');
  return isJam(data['code']) ? t('history.said.trouble.jammed') : '';
};

/** What no reader may miss beside the event's name: that nobody said it, and what was the matter with the door. */
export const besideOf = (data: HistoryEvent['data'], t: TFunction): string =>
  [data['assumed'] === true ? t('history.assumed') : '', troubleOf(data, t)].filter(Boolean).join(' · ');

/** What an event says beside its name: how many, in what condition, why. */
export const saidOf = (data: HistoryEvent['data'], t: TFunction): string =>
  [
    troubleOf(data, t),
    data['unexpected'] === true ? t('history.said.unexpected') : '',
    data['assumed'] === true ? t('history.said.assumed') : '',
    typeof data['quantity'] === 'number' ? t('history.said.quantity', { count: data['quantity'] }) : '',
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
