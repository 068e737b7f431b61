import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../app/draft.ts';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { useApi } from '../../app/portal.ts';
import { cabinetsQuery, wallQuery } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { type Cabinet, cabinetQuery, lastTagQuery, type NewCabinet, type Site, useBuilderCommands } from './api.ts';
import styles from './builder.module.css';
import { freePattern, newFault } from './numbering.ts';
import { Start } from './shape.tsx';
import { doorsOf, layoutOf, sketchOf, type Sketch } from './sketch.ts';
import { refusedTags, tagWords, usePatternFault } from './tags.ts';
import { countOf, fromTemplate, likeWall, TEMPLATES } from './templates.ts';

type Props = {
  /** The one that is changed; null makes one. */
  cabinet: Cabinet | null;
  site?: Site | undefined;
  sites: readonly Site[];
  onClose: () => void;
  onSaved?: (cabinet: Cabinet) => void;
};
const NUMBER = /^[1-9]\d{2,5}$/;

const bodyOf = (sketch: Sketch): NewCabinet['columns'] =>
  sketch.map(({ width, doors }) => ({
    width,
    doors: doors.map(({ doorTag, compartment, size, height, reach }) => ({ doorTag, compartment, size, height, reach })),
  }));

/** Name, number and place of a cabinet; a new one may start from a template or from the shape of another. */
export const CabinetDialog = ({ cabinet, site, sites, onClose, onSaved }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useBuilderCommands();
  const queryClient = useQueryClient();
  const [home] = useState(site?.id ?? sites[0]?.id ?? '');
  const draft = useDraft({
    row: cabinet,
    newest: () => queryClient.fetchQuery({ ...cabinetQuery(api, cabinet?.id ?? 'new'), staleTime: 0 }),
    begun: (row: Cabinet | null) => ({
      name: row?.name ?? '',
      number: row === null ? '' : String(row.number),
      siteId: row?.siteId ?? home,
    }),
    save: (meant, version) => {
      const given = meant.number === '' ? {} : { number: Number(meant.number) };
      const words = { name: meant.name.trim(), siteId: meant.siteId, ...given };
      return cabinet
        ? commands.changeCabinet(cabinet.id, { ...words, version })
        : commands.addCabinet({ ...words, columns: bodyOf(sketch) });
    },
    onSaved: (saved) => {
      toast.ok(t(cabinet ? 'builder.saved' : 'builder.cabinetMade', { name: saved.name }));
      onClose();
      onSaved?.(saved);
    },
  });
  const { name, number, siteId } = draft.value;
  const [from, setFrom] = useState<string>('parcels');
  const [given, setGiven] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const others = useQuery({ ...cabinetsQuery(api), enabled: cabinet === null });
  const last = useQuery({ ...lastTagQuery(api), enabled: cabinet === null });
  // Tags are the company's own: after a wall of A comes one of B, as long as nobody says otherwise.
  const pattern = given ?? freePattern(last.data?.[0]?.doorTag);
  const copied = others.data?.find((one) => one.id === from);
  const like = useQuery({ ...wallQuery(api, from), enabled: copied !== undefined });
  const template = TEMPLATES.find((one) => one === from);
  const sketch: Sketch = template
    ? fromTemplate(template, 1, pattern)
    : copied && like.data
      ? likeWall(sketchOf(copied, like.data), 1, pattern)
      : [];
  const tags = cabinet === null && !last.isLoading ? doorsOf(sketch).map((door) => door.doorTag) : [];
  const faulty = usePatternFault(null, { pattern, fault: newFault(sketch), given: tags });
  // An empty wall has no tags, and one that is there has its own.
  const patternWrong = sketch.length > 0 && cabinet === null ? faulty.wrong : undefined;
  const numberWrong = number !== '' && !NUMBER.test(number);
  const refused = fieldErrors(draft.error, t);
  const taken = codeOf(draft.error) === 'name-taken';
  const tagsTaken = taken && Object.keys(refused).some((field) => field.endsWith('doorTag'));
  const wrong = {
    name: tried && name.trim() === '' ? t('builder.nameNeeded') : undefined,
    number: numberWrong ? t('builder.numberWrong') : taken && refused['number'] !== undefined ? t('builder.numberTaken') : undefined,
    pattern: tagsTaken ? t('builder.tagsElsewhere', { tags: tagWords(refusedTags(draft.error, sketch), () => undefined) }) : patternWrong,
  };
  const submit = (): void => {
    setTried(true);
    const drawn = cabinet !== null || copied === undefined || like.data !== undefined;
    if (name.trim() !== '' && !numberWrong && patternWrong === undefined && drawn) draft.save();
  };
  const typed = (field: 'name' | 'number' | 'siteId') => (event: { currentTarget: { value: string } }) =>
    draft.set({ [field]: event.currentTarget.value });
  const alert = { errorProps: { role: 'alert' } };
  return (
    <FormDialog
      title={cabinet ? t('builder.changeCabinet', { name: cabinet.name }) : t('builder.addCabinet')}
      dirty={draft.dirty || given !== null}
      saving={draft.saving}
      size="lg"
      onClose={onClose}
    >
      <Form onSubmit={submit} className={styles.fields}>
        <TextInput
          label={t('builder.name')}
          value={name}
          onChange={typed('name')}
          error={wrong.name}
          {...alert}
          maxLength={100}
          data-autofocus
        />
        <NativeSelect
          label={t('builder.site')}
          value={siteId}
          onChange={typed('siteId')}
          data={sites.map((one) => ({ value: one.id, label: one.name }))}
        />
        <TextInput
          label={t('builder.number')}
          description={cabinet && number !== String(cabinet.number) ? t('builder.numberChanged') : t('builder.numberHint')}
          value={number}
          onChange={typed('number')}
          error={wrong.number}
          {...alert}
          inputMode="numeric"
          maxLength={6}
        />
        {cabinet === null && (
          <>
            <fieldset className={styles.templates}>
              <legend>{t('builder.startFrom')}</legend>
              {[...TEMPLATES, 'empty' as const].map((one) => (
                <Start
                  key={one}
                  layout={one === 'empty' ? [] : layoutOf(fromTemplate(one, 1))}
                  chosen={from === one}
                  onChoose={() => setFrom(one)}
                >
                  {one === 'empty' ? t('builder.empty') : t(`builder.template.${one}`)}
                  {one !== 'empty' && <span className={styles.quiet}> · {countOf(one)}</span>}
                </Start>
              ))}
              {(others.data ?? [])
                .filter((one) => one.columns.length > 0)
                .slice(0, 12)
                .map((one) => (
                  <Start key={one.id} layout={one.columns} chosen={from === one.id} onChoose={() => setFrom(one.id)}>
                    {t('builder.copyOf', { name: one.name })}
                  </Start>
                ))}
            </fieldset>
            {from !== 'empty' && (
              <TextInput
                label={t('builder.tagPattern')}
                description={t('builder.patternHint', { n: '{n}', nn: '{nn}', c: '{c}', r: '{r}' })}
                value={pattern}
                onChange={(event) => {
                  setGiven(event.currentTarget.value);
                  draft.set({});
                }}
                error={wrong.pattern}
                {...alert}
                maxLength={30}
              />
            )}
          </>
        )}
        <SaveProblem of={draft.conflict} quiet={wrong.number !== undefined || tagsTaken} />
        <FormFoot saving={draft.saving} />
      </Form>
    </FormDialog>
  );
};
