import { mayBuild } from '@hatchway/domain/access.ts';
import type { Hold } from '@hatchway/domain/layout.ts';
import { NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFacts } from '../../app/who.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import styles from './builder.module.css';
import { begunFor, type Numbering, previewOf, tagsBy } from './numbering.ts';
import type { Sketch } from './sketch.ts';
import { usePatternFault } from './tags.ts';

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
  const [some, setSome] = useState(chosen.size > 1);
  const begun = useMemo(() => begunFor(sketch, some ? chosen : null), [sketch, some, chosen]);
  // Until somebody writes another one, all doors and some of them each begin with what they bear.
  const [typed, setTyped] = useState<Numbering | null>(null);
  const value = typed ?? begun;
  const facts = useFacts();
  const tags = tagsBy(sketch, value, some ? chosen : null, ({ lockerId }) => lockerId === null || mayBuild([lockerId], facts));
  const { changes, fault } = previewOf(sketch, tags, holdOf);
  const { wrong } = usePatternFault(cabinetId, { pattern: value.pattern, fault, given: changes.map((one) => one.to) });
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
          onChange={(event) => setTyped({ ...value, pattern: event.currentTarget.value })}
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
            onChange={(start) => typeof start === 'number' && setTyped({ ...value, start })}
          />
          <div>
            <SegmentedControl
              className={styles.wraps}
              fullWidth
              aria-label={t('builder.order')}
              value={value.order}
              onChange={(order) => setTyped({ ...value, order: order === 'rows' ? 'rows' : 'columns' })}
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
            className={styles.wraps}
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
