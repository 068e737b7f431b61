import { IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Locker } from '../../app/queries.ts';
import styles from './sandbox.module.css';

export type Door = Pick<Locker, 'cabinetId' | 'compartment'>;
/** A message, by the id that its sender gave it. */
export type Said = { message: string };
type Props = { sandbox: string; to: Door | Said | 'vipps' };

const placeOf = (to: Props['to']): { page: 'cabinets' | 'inbox' | 'vipps'; at: string } => {
  if (to === 'vipps') return { page: to, at: '' };
  if ('message' in to) return { page: 'inbox', at: `#message=${to.message}` };
  return { page: 'cabinets', at: `#controller=${to.cabinetId}&door=${to.compartment}` };
};

// The one that is loaded late, so its own chunk's default.
export default function Way({ sandbox, to }: Props) {
  const { t } = useTranslation();
  const { page, at } = placeOf(to);
  return (
    <a className={styles.way} href={`${sandbox}${page}${at}`} target="_blank" rel="noreferrer" title={t(`beside.${page}Text`)}>
      {t(`beside.${page}`)}
      <IconExternalLink size={16} aria-hidden />
    </a>
  );
}
