import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './manage.module.css';
import { type Act, byErrand, type Errand } from './offers.ts';

type ChoiceProps = {
  acts: Act[];
  more: readonly Act[];
  next: string;
  button: (act: Act, first: boolean) => ReactNode;
  item: (act: Act) => ReactNode;
};
/**
 * The next likely one, and below it what else may be done, by errand; what ends it stands last and apart. All in one list: one that becomes
 * likely, or ceases to be, while the focus is on it keeps the focus.
 */
export const Choice = ({ acts: [likely, ...others], more, next, button, item }: ChoiceProps) => {
  const { t } = useTranslation();
  if (likely === undefined) return <p className={styles.label}>{t('occupations.manage.nothing')}</p>;
  const menu = (
    <Menu key="more" position="bottom-start">
      <Menu.Target>
        <Button variant="outline" color="red" size="sm" leftSection={<IconDots size={18} aria-hidden />}>
          {t('occupations.manage.more')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{more.map(item)}</Menu.Dropdown>
    </Menu>
  );
  const groups = byErrand(others.filter((act) => !more.includes(act)));
  const ends = groups.some(({ errand }) => errand === 'end');
  const label = (errand: Errand) => (
    <h3 key={errand} className={styles.label} data-errand={errand}>
      {t(`occupations.manage.errands.${errand}`)}
    </h3>
  );
  return (
    <div className={styles.choice}>
      {[
        <p key="next" className={styles.label}>
          {next}
        </p>,
        button(likely, true),
        ...groups.flatMap(({ errand, acts }) => [label(errand), ...acts.map((act) => button(act, false))]),
        more.length > 0 && !ends && label('end'),
        more.length > 0 && menu,
      ]}
    </div>
  );
};
