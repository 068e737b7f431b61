import { type Stage, type StageName, stageName } from '@hatchway/domain/terms.ts';
import {
  type Icon,
  IconArchive,
  IconArrowsLeftRight,
  IconBell,
  IconCircleDashed,
  IconClockExclamation,
  IconDoorEnter,
  IconDoorExit,
  IconHourglass,
  IconPackage,
  IconPackageExport,
  IconSend,
  IconSquareCheck,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { StateBadge, type Tone } from './state-badge.tsx';

const LOOK: Record<StageName, [Icon, Tone]> = {
  RESERVED: [IconHourglass, 'plain'],
  INITIATED: [IconDoorEnter, 'accent'],
  FILLED: [IconPackage, 'accent'],
  ACQUIRABLE: [IconPackageExport, 'ok'],
  CONTACTING: [IconSend, 'accent'],
  CONTACTED: [IconBell, 'ok'],
  CLAIMING: [IconDoorExit, 'accent'],
  VACANT: [IconCircleDashed, 'plain'],
  TERMINATED: [IconSquareCheck, 'plain'],
  ARCHIVED: [IconArchive, 'plain'],
};

/** `lent`: its locker is empty because what belongs there is out on loan. */
export const StageBadge = ({ stage, lent = false }: { stage: number; lent?: boolean }) => {
  const { t } = useTranslation();
  if (lent) return <StateBadge icon={IconArrowsLeftRight} tone="accent" word={t('terms.onLoan')} />;
  const name = stageName(stage as Stage);
  const [icon, tone] = LOOK[name];
  return <StateBadge icon={icon} tone={tone} word={t(`terms.stage.${name}`)} />;
};

/** Where a use stands, in the words of its badge. */
export const stageWord = ({ stage, dueAt, takingOut }: Use, t: TFunction): string =>
  takingOut !== null ? t('terms.takingOut') : dueAt ? t('terms.onLoan') : t(`terms.stage.${stageName(stage as Stage)}`);

type Use = { stage: number; dueAt?: string | null | undefined; takingOut: 'keep' | 'end' | 'move' | null };
/** Where a use stands; while staff take it out its stage would say more than anybody knows. */
export const UseBadge = ({ one }: { one: Use }) => {
  const { t } = useTranslation();
  if (one.takingOut !== null) return <StateBadge icon={IconDoorExit} tone="accent" word={t('terms.takingOut')} />;
  return <StageBadge stage={one.stage} lent={Boolean(one.dueAt)} />;
};

export const OverdueBadge = () => {
  const { t } = useTranslation();
  return <StateBadge icon={IconClockExclamation} tone="bad" word={t('terms.overdue')} />;
};
