import { TEMPLATE_CHANNELS, TEMPLATE_KINDS } from '@hatchway/domain/template.ts';
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { compact } from '../../ui/table/search.ts';
import { LeaveDialog } from '../../ui/unsaved.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { SectionHead } from '../admin/section-head.tsx';
import type { SectionProps } from '../admin/section.ts';
import { isSame, templatesQuery } from './api.ts';
import { parseTemplatesSearch, type TemplatesSearch } from './search.ts';
import { TemplateEditor } from './template-editor.tsx';
import styles from './templates.module.css';

/** Each in its own words. */
const LANGUAGES = { nb: 'Norsk bokmål', en: 'English' } as const;

/** Every message that goes out, one at a time: which, on which channel, in which language. */
const TemplatesSection = ({ search: raw, onSearch }: SectionProps) => {
  const { t } = useTranslation();
  const templates = useQuery(templatesQuery(useApi()));
  const search = parseTemplatesSearch(raw);
  const { kind = 'ready', channel = 'sms', locale = 'nb' } = search;
  const [dirty, setDirty] = useState(false);
  const [wanted, setWanted] = useState<TemplatesSearch | null>(null);
  const show = (change: TemplatesSearch): void => onSearch(compact({ kind, channel, locale, ...change }));
  // What was typed for one text must not vanish by looking at another.
  const set = (change: TemplatesSearch): void => (dirty ? setWanted(change) : show(change));
  /** On which channel and in which language they wrote it themselves. */
  const own = (one: string): string[] =>
    (templates.data ?? [])
      .filter((row) => row.kind === one && row.own)
      .map((row) => `${t(`terms.channel.${row.channel}`)} ${LANGUAGES[row.locale]}`);
  const template = templates.data?.find((row) => isSame(row, { kind, channel, locale }));
  return (
    <>
      <SectionHead title={t('templates.title')} intro={t('templates.intro')} />
      <div className={styles.choose}>
        <NativeSelect
          label={t('templates.kind')}
          value={kind}
          onChange={({ currentTarget }) => set({ kind: TEMPLATE_KINDS.find((one) => one === currentTarget.value) })}
          data={TEMPLATE_KINDS.map((one) => ({
            value: one,
            label: [t(`templates.kinds.${one}`), ...(own(one).length > 0 ? [t('templates.own', { which: own(one).join(', ') })] : [])].join(
              ' · ',
            ),
          }))}
        />
        <SegmentedControl
          aria-label={t('templates.channel')}
          value={channel}
          onChange={(next) => set({ channel: TEMPLATE_CHANNELS.find((one) => one === next) })}
          data={TEMPLATE_CHANNELS.map((one) => ({ value: one, label: t(`terms.channel.${one}`) }))}
        />
        <SegmentedControl
          aria-label={t('templates.language')}
          value={locale}
          onChange={(next) => set({ locale: next === 'en' ? 'en' : 'nb' })}
          data={[
            { value: 'nb', label: LANGUAGES.nb },
            { value: 'en', label: LANGUAGES.en },
          ]}
        />
      </div>
      <Waiting of={templates} lines={6} height={24} />
      {template && <TemplateEditor key={template.id} template={template} onDirty={setDirty} />}
      <LeaveDialog
        opened={wanted !== null}
        onLeave={() => {
          setDirty(false);
          if (wanted) show(wanted);
          setWanted(null);
        }}
        onStay={() => setWanted(null)}
      />
    </>
  );
};
export default TemplatesSection;
