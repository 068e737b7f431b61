import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { lastTagQuery } from './api.ts';
import styles from './builder.module.css';
import { freePattern, keptNumbering, newFault } from './numbering.ts';
import { Start } from './shape.tsx';
import { doorsOf, layoutOf, type Sketch } from './sketch.ts';
import { usePatternFault } from './tags.ts';
import { countOf, fromTemplate, type Template, TEMPLATES } from './templates.ts';

type Props = {
  cabinetId: string;
  /** As it is saved: its tags tell how the wall is numbered. */
  base: Sketch;
  next: number;
  onPick: (sketch: Sketch) => void;
  onClose: () => void;
};

/** Another wall in place of the one that is drawn; a stroke like any other. Its tags are the cabinet's own, or such as no wall bears. */
export const TemplateDialog = ({ cabinetId, base, next, onPick, onClose }: Props) => {
  const { t } = useTranslation();
  const [template, setTemplate] = useState<Template>('parcels');
  const [kept] = useState(() => keptNumbering(base));
  const last = useQuery({ ...lastTagQuery(useApi()), enabled: kept === null });
  const [given, setGiven] = useState<string | null>(null);
  const begun = kept?.pattern ?? freePattern(last.data?.[0]?.doorTag);
  const pattern = given ?? begun;
  const drawn = fromTemplate(template, next, pattern, kept !== null && pattern === kept.pattern ? kept.start : 1);
  const tags = doorsOf(drawn).map((door) => door.doorTag);
  const { wrong, asking } = usePatternFault(cabinetId, { pattern, fault: newFault(drawn), given: tags });
  return (
    <FormDialog title={t('builder.templateTitle')} dirty={pattern !== begun} size="lg" onClose={onClose}>
      <Text mb="md">{t('builder.templateText')}</Text>
      <fieldset className={styles.templates}>
        <legend className="hw-spoken">{t('builder.useTemplate')}</legend>
        {TEMPLATES.map((one) => (
          <Start key={one} layout={layoutOf(fromTemplate(one, 1))} chosen={template === one} onChoose={() => setTemplate(one)}>
            {t(`builder.template.${one}`)} <span className={styles.quiet}>· {countOf(one)}</span>
          </Start>
        ))}
      </fieldset>
      <TextInput
        mt="md"
        label={t('builder.tagPattern')}
        description={t('builder.patternHint', { n: '{n}', nn: '{nn}', c: '{c}', r: '{r}' })}
        value={pattern}
        maxLength={30}
        onChange={(event) => setGiven(event.currentTarget.value)}
        error={wrong}
        errorProps={{ role: 'alert' }}
      />
      <FormFoot
        saving={false}
        save={t('builder.replace')}
        idle={wrong !== undefined || asking || last.isLoading}
        onSave={() => onPick(drawn)}
      />
    </FormDialog>
  );
};
