import type { OccupationType } from '@hatchway/domain/terms.ts';
import type { TFunction } from 'i18next';

/** What a use is called: self-service apart from the deliveries that staff make, though both are of type delivery. */
export const kindWord = ({ type, service }: { type: OccupationType; service: string }, t: TFunction): string =>
  service === 'selfservice' ? t('terms.service.selfservice') : t(`terms.type.${type}`);
