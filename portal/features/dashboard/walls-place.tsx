import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadAllWords } from '../../i18n/setup.ts';
import { Panel, Placeholder } from '../../ui/panel.tsx';
import { painted } from './later.tsx';
import { WALLS_HIGH } from './walls-high.ts';

/** The walls with their words come once the screen is painted: it is one of the light ones. */
const Walls = lazy(async () => {
  await painted();
  const [{ Walls: Loaded }] = await Promise.all([import('./walls.tsx'), import('../../ui/all-styles.ts'), loadAllWords()]);
  return { default: Loaded };
});

export const WallsPlace = () => {
  const { t } = useTranslation();
  return (
    <Suspense
      fallback={
        <Panel title={t('dashboard.walls')}>
          <Placeholder height={WALLS_HIGH} />
        </Panel>
      }
    >
      <Walls />
    </Suspense>
  );
};
