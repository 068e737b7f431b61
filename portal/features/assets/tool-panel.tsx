import type { ToolSide } from '@hatchway/contract/asset-tool.ts';
import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { dayOrTime } from '../../app/dates.ts';
import { useToolWords } from '../../app/tool-words.ts';
import { useZone } from '../../app/who.ts';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import styles from './assets.module.css';

/** What the asset tool says of one of its own, how fresh that is, and the way there: it is changed in the tool alone. */
export const ToolPanel = ({ tool }: { tool: ToolSide }) => {
  const { t } = useTranslation();
  const zone = useZone();
  const { faultOf } = useToolWords();
  const { told } = tool;
  return (
    <Panel
      title={t('assets.tool.title')}
      aside={
        tool.url !== null && (
          <Anchor href={tool.url} target="_blank" rel="noopener noreferrer">
            {t('assets.tool.open')}
          </Anchor>
        )
      }
    >
      <p className={styles.quiet}>{t(tool.gone ? 'assets.tool.gone' : 'assets.tool.text')}</p>
      <Facts
        rows={[
          [t('assets.tool.state'), t(`assets.tool.states.${tool.state}`)],
          ...(tool.holder === null ? [] : [[t('assets.holder'), tool.holder] as const]),
          ...(tool.until === null ? [] : [[t('assets.dueBack'), dayOrTime(tool.until, zone)] as const]),
          ...(tool.condition === null ? [] : [[t('assets.tool.condition'), tool.condition] as const]),
          ...(told === null
            ? []
            : [
                [
                  t(`assets.tool.tellings.${told.kind}`),
                  [t(`assets.tool.told.${told.state}`), told.error === null ? '' : faultOf(told.error)].filter(Boolean).join(' '),
                ] as const,
              ]),
          [t('assets.tool.asOf'), <Moment key="asOf" at={tool.asOf} />],
        ]}
      />
    </Panel>
  );
};
