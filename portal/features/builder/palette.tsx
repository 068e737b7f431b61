import { useDraggable } from '@dnd-kit/core';
import { SIZES, type Size } from '@hatchway/domain/terms.ts';
import { IconColumnInsertRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './builder.module.css';

export type Piece = Size | 'column';

/** What a wall is made of: dragged onto it, or pressed. */
export const Palette = ({ onAdd }: { onAdd: (piece: Piece) => void }) => {
  const { t } = useTranslation();
  return (
    <div className={styles.palette} title={t('builder.paletteHint')}>
      <span className={styles.quiet}>{t('builder.palette')}</span>
      {SIZES.map((size) => (
        <Item key={size} piece={size} onAdd={onAdd} />
      ))}
      <Item piece="column" onAdd={onAdd} />
    </div>
  );
};

const Item = ({ piece, onAdd }: { piece: Piece; onAdd: (piece: Piece) => void }) => {
  const { t } = useTranslation();
  const { setNodeRef, listeners } = useDraggable({ id: piece });
  const column = piece === 'column';
  // Pressing it does the same without dragging, so it is told as a plain button.
  return (
    <button
      ref={setNodeRef}
      type="button"
      className={styles.piece}
      aria-label={column ? t('builder.addColumn') : t('builder.addDoor', { size: piece })}
      {...listeners}
      onClick={() => onAdd(piece)}
    >
      {column ? <IconColumnInsertRight size={18} aria-hidden /> : piece}
    </button>
  );
};
