import { mayBuild } from '@hatchway/domain/access.ts';
import type { Hold } from '@hatchway/domain/layout.ts';
import { NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import { useFacts } from '../../app/who.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { elsewhereQuery } from './api.ts';
import styles from './builder.module.css';
import { ownNumbering, previewOf, tagsBy } from './numbering.ts';
import type { Sketch } from './sketch.ts';

type Props = {
  cabinetId: string;
  sketch: Sketch;
  chosen: ReadonlySet<string>;
  holdOf: (lockerId: string) => Hold | null;
  onApply: (tags: ReadonlyMap<string, string>) => void;
  onClose: () => void;
};

/** Tags by a pattern, with each change shown before it is made: no label becomes wrong in silence. */
export const NumberingDialog = ({ cabinetId, sketch, chosen, holdOf, onApply, onClose }: Props) => {
  const { t } = useTranslation();
  const [begun] = useState(() => ownNumbering(sketch));
  const [value, setValue] = useState(begun);
  const [some, setSome] = useState(chosen.size > 1);
  const facts = useFacts();
  const { api } = usePortal();
  const tags = tagsBy(sketch, value, some ? chosen : null, ({ lockerId }) => lockerId === null || mayBuild([lockerId], facts));
  const { changes, fault } = previewOf(sketch, tags, holdOf);
  // Joined for the wait: a list is another one each time it is drawn.
  const [wanted] = useDebouncedValue(changes.map((one) => one.to).join(' '), 200);
  const elsewhere = useQuery({ ...elsewhereQuery(api, cabinetId, wanted.split(' ')), enabled: fault === null && wanted !== '' });
  const borne = new Set(elsewhere.data?.map((one) => one.doorTag));
  const taken = changes.filter((one) => borne.has(one.to)).map((one) => one.to);
  const wrong =
    fault === 'same'
      ? t('builder.patternSame')
      : fault === 'wrong'
        ? t('builder.patternWrong')
        : taken.length > 0
          ? t('builder.tagsElsewhere', { tags: taken.join(', ') })
          : undefined;
  const printed = changes.filter((one) => !one.isNew);
  const used = changes.filter((one) => one.hold !== null);
  return (
    <FormDialog
      title={t('builder.numberingTitle')}
      dirty={value.pattern !== begun.pattern || value.start !== begun.start}
      size="lg"
      onClose={onClose}
    >
      <div className={styles.fields}>
        <TextInput
          label={t('builder.tagPattern')}
          description={t('builder.patternHint', { n: '{n}', nn: '{nn}', c: '{c}', r: '{r}' })}
          value={value.pattern}
          maxLength={30}
          onChange={(event) => setValue({ ...value, pattern: event.currentTarget.value })}
          error={wrong}
          errorProps={{ role: 'alert' }}
          data-autofocus
        />
        <div className={`${styles.pair} ${styles.stack}`}>
          <NumberInput
            label={t('builder.start')}
            value={value.start}
            min={0}
            max={99_999}
            allowDecimal={false}
            onChange={(start) => typeof start === 'number' && setValue({ ...value, start })}
          />
          <div>
            <SegmentedControl
              fullWidth
              aria-label={t('builder.order')}
              value={value.order}
              onChange={(order) => setValue({ ...value, order: order === 'rows' ? 'rows' : 'columns' })}
              data={[
                { value: 'columns', label: t('builder.orderColumns') },
                { value: 'rows', label: t('builder.orderRows') },
              ]}
              mt={26}
            />
          </div>
        </div>
        {chosen.size > 0 && (
          <SegmentedControl
            aria-label={t('builder.numbering')}
            value={some ? 'some' : 'all'}
            onChange={(which) => setSome(which === 'some')}
            data={[
              { value: 'all', label: t('builder.numberAll') },
              { value: 'some', label: t('builder.numberChosen', { count: chosen.size }) },
            ]}
          />
        )}
        {printed.length > 0 && <p className={styles.warn}>{t('builder.labelsChange', { count: printed.length })}</p>}
        {used.length > 0 && <p className={styles.warn}>{t('builder.labelsInUse', { tags: used.map((one) => one.from).join(', ') })}</p>}
        {changes.length === 0 ? (
          <p className={styles.quiet}>{t('builder.nothingChanges')}</p>
        ) : (
          // It scrolls, so that it can be reached by keys.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <section className={styles.preview} tabIndex={0} aria-label={t('builder.becomes')}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('builder.was')}</th>
                  <th scope="col">{t('builder.becomes')}</th>
                  <th scope="col">{t('builder.state')}</th>
                </tr>
              </thead>
              <tbody>
                {changes.map((one) => (
                  <tr key={one.key}>
                    <td>{one.from}</td>
                    <td>
                      <strong>{one.to}</strong>
                    </td>
                    <td>
                      {one.isNew && t('builder.isNew')}
                      {one.hold === 'in-use' && t('lockers.shows.in-use')}
                      {one.hold === 'in-doubt' && t('lockers.shows.in-doubt')}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </div>
      <FormFoot saving={false} save={t('builder.apply')} idle={wrong !== undefined || changes.length === 0} onSave={() => onApply(tags)} />
    </FormDialog>
  );
};
