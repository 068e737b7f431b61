import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './manage.module.css';
import type { Act } from './offers.ts';

type ChoiceProps = {
  acts: Act[];
  more: readonly Act[];
  next: string;
  button: (act: Act, first: boolean) => ReactNode;
  item: (act: Act) => ReactNode;
};
/**
 * The next likely one, and what else may be done. All in one list: one that becomes likely, or ceases to be, while the focus is on it
 * keeps the focus.
 */
export const Choice = ({ acts: [likely, ...others], more, next, button, item }: ChoiceProps) => {
  const { t } = useTranslation();
  if (likely === undefined) return <p className={styles.label}>{t('occupations.manage.nothing')}</p>;
  return (
    <div className={styles.choice}>
      {[
        <p key="next" className={styles.label}>
          {next}
        </p>,
        button(likely, true),
        others.length > 0 && (
          <p key="others" className={styles.label}>
            {t('occupations.manage.others')}
          </p>
        ),
        ...others.filter((act) => !more.includes(act)).map((act) => button(act, false)),
        more.length > 0 && (
          <Menu key="more" position="bottom-start">
            <Menu.Target>
              <Button variant="default" size="sm" leftSection={<IconDots size={18} aria-hidden />}>
                {t('occupations.manage.more')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>{more.map(item)}</Menu.Dropdown>
          </Menu>
        ),
      ]}
    </div>
  );
};
