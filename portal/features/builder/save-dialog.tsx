import type { Hold } from '@hatchway/domain/layout.ts';
import type { Size } from '@hatchway/domain/terms.ts';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './builder.module.css';
import { effectOf } from './effect.ts';
import type { Sketch } from './sketch.ts';
import { refusedTags, useElsewhere } from './tags.ts';
import { heldBy, holdWords, policiesBy } from './words.ts';

type Props = {
  cabinetId: string;
  base: Sketch;
  now: Sketch;
  holdOf: (lockerId: string) => Hold | null;
  busy: boolean;
  error: unknown;
  onSave: () => void;
  onClose: () => void;
};

const tagsOf = (doors: readonly { doorTag: string }[]): string => doors.map((door) => door.doorTag).join(', ');

const measureOf = ({ size, height }: { size: Size; height: number }): string => `${size} ${height} mm`;

/** What will become of each door, before it does; and why not, when it was refused. */
export const SaveDialog = ({ cabinetId, base, now, holdOf, busy, error, onSave, onClose }: Props) => {
  const { t } = useTranslation();
  const effect = effectOf(base, now);
  const used = effect.renamed.filter(({ door }) => door.lockerId !== null && holdOf(door.lockerId) !== null);
  const nothing = Object.values(effect).every((doors) => doors.length === 0);
  return (
    <ConfirmDialog opened title={t('builder.saveTitle')} action={t('builder.saveAction')} busy={busy} onConfirm={onSave} onClose={onClose}>
      <div className={styles.effect}>
        {Boolean(error) && <Refused cabinetId={cabinetId} error={error} now={now} />}
        <Told how="removed" count={effect.removed.length} doors={tagsOf(effect.removed)} />
        <Told how="added" count={effect.added.length} doors={tagsOf(effect.added)}>
          <p className={styles.quiet}>{t('builder.effect.addedText', { count: effect.added.length })}</p>
        </Told>
        <Told
          how="renamed"
          count={effect.renamed.length}
          doors={effect.renamed.map(({ door, from }) => `${from} → ${door.doorTag}`).join(', ')}
        >
          <p className={styles.warn}>{t('builder.labelsChange', { count: effect.renamed.length })}</p>
          {used.length > 0 && <p className={styles.warn}>{t('builder.labelsInUse', { tags: used.map(({ from }) => from).join(', ') })}</p>}
        </Told>
        <Told
          how="rewired"
          count={effect.rewired.length}
          doors={effect.rewired.map(({ door, from }) => `${door.doorTag}: ${from} → ${door.compartment}`).join(', ')}
        >
          <p className={styles.quiet}>{t('builder.effect.rewiredText', { count: effect.rewired.length })}</p>
        </Told>
        <Told
          how="resized"
          count={effect.resized.length}
          doors={effect.resized.map(({ door, from }) => `${door.doorTag}: ${measureOf(from)} → ${measureOf(door)}`).join(', ')}
        />
        <Told how="rest" count={effect.rest.length} doors={tagsOf(effect.rest)} />
        {nothing && <p>{t('builder.effect.column')}</p>}
      </div>
    </ConfirmDialog>
  );
};

type ToldProps = { how: keyof ReturnType<typeof effectOf>; count: number; doors: string; children?: ReactNode };
/** Which doors it is, and what follows from it. */
const Told = ({ how, count, doors, children }: ToldProps) => {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <>
      <h3>{t(`builder.effect.${how}`, { count })}</h3>
      <p>{doors}</p>
      {children}
    </>
  );
};

const Refused = ({ cabinetId, error, now }: { cabinetId: string; error: unknown; now: Sketch }) => {
  const { t } = useTranslation();
  const held = heldBy(error);
  const policies = policiesBy(error);
  const places = refusedTags(error, now);
  const { words } = useElsewhere(cabinetId, places);
  // The button that saved has given up the focus; who goes on by keys goes on from what was said.
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => said.current?.focus(), []);
  return (
    <div ref={said} tabIndex={-1}>
      {held.length + policies.length + places.length > 0 ? (
        <div role="alert" className={styles.note}>
          <strong>{t('builder.saveRefused')}</strong>
          {held.length > 0 && (
            <p>{t('builder.refused.held', { doors: held.map((one) => holdWords(t, one.doorTag, one.hold)).join(', ') })}</p>
          )}
          {policies.length > 0 && <p>{t('builder.policiesKeep', { names: policies.join(', ') })}</p>}
          {places.length > 0 && <p>{t('builder.tagsElsewhere', { tags: words(places) })}</p>}
        </div>
      ) : (
        <ProblemNote error={error} title={t('builder.saveRefused')} />
      )}
    </div>
  );
};
