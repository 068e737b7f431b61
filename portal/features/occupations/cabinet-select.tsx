import { isFailing } from '@hatchway/domain/locker.ts';
import type { Service } from '@hatchway/domain/terms.ts';
import { Button, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Cabinet } from '../../app/queries.ts';
import { obstacleTo } from '../lockers/door-view.ts';
import type { DoorChoice } from './choice.ts';
import type { Draft } from './draft.ts';
import { rememberCabinet } from './kept.ts';

type Props = { service: Service; choice: DoorChoice; onChange: (patch: Partial<Draft>) => void };

/**
 * At which wall, with how many doors are free there, where its wall is read; nothing where there is only one. Where its site has none, the
 * way to another that has; where another one had to do, the way back once it has a door again.
 */
export const CabinetSelect = ({ service, choice, onChange }: Props) => {
  const { t } = useTranslation();
  const { cabinets, lockers, unread, byCabinet } = choice.walls;
  if (cabinets.length < 2) return null;
  const words = ({ id, name, siteName }: Cabinet) => {
    if (!byCabinet.has(id)) return `${name} · ${siteName}`;
    const free = lockers.filter((one) => one.cabinetId === id && obstacleTo(one, service) === null);
    // One that did not open when it was last asked to is had, but not counted as free.
    const failing = free.filter((one) => isFailing(one.lastCommand)).length;
    const option = t('occupations.locker.cabinetOption', { name, count: free.length - failing });
    return failing === 0 ? option : `${option} · ${t('lockers.wall.failing', { count: failing })}`;
  };
  const ask = (cabinetId: string | null) => {
    if (cabinetId === null) return;
    rememberCabinet(cabinetId);
    onChange({ cabinetId, lockerId: null });
  };
  return (
    <>
      <Select
        label={t('lockers.cabinet')}
        value={choice.locker?.cabinetId ?? choice.cabinetId}
        allowDeselect={false}
        searchable={unread > 0}
        data={cabinets.map((cabinet) => ({ value: cabinet.id, label: words(cabinet) }))}
        onChange={ask}
      />
      {choice.next && (
        <Button variant="default" onClick={() => ask(choice.next?.id ?? null)}>
          {t('occupations.locker.nextAt', { cabinet: choice.next.name, site: choice.next.siteName })}
        </Button>
      )}
      {choice.back && (
        <Button variant="default" onClick={() => ask(choice.cabinetId)}>
          {t('occupations.locker.backTo', { cabinet: cabinets.find(({ id }) => id === choice.cabinetId)?.name ?? '' })}
        </Button>
      )}
    </>
  );
};
