import { ActionIcon, Button, Switch, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './builder.module.css';
import type { Editor } from './edit.ts';
import { Palette, type Piece } from './palette.tsx';

type Props = {
  editor: Editor;
  /** Whoever builds everywhere draws new doors; others change what theirs are called and how they stand. */
  anywhere: boolean;
  several: boolean;
  onBack: (kind: 'undo' | 'redo') => void;
  onAdd: (piece: Piece) => void;
  onNumber: () => void;
  onTemplates: () => void;
  onSeveral: (several: boolean) => void;
};

/** Above the wall: a stroke back or again, what can be drawn, numbering and templates. */
export const Tools = ({ editor, anywhere, several, onBack, onAdd, onNumber, onTemplates, onSeveral }: Props) => {
  const { t } = useTranslation();
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('builder.wall')}>
      <span className={styles.row}>
        <Tooltip label={`${t('builder.undo')} (Ctrl+Z)`}>
          <ActionIcon
            variant="default"
            size={44}
            aria-label={t('builder.undo')}
            disabled={editor.past.length === 0}
            onClick={() => onBack('undo')}
          >
            <IconArrowBackUp size={20} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={`${t('builder.redo')} (Shift+Ctrl+Z)`}>
          <ActionIcon
            variant="default"
            size={44}
            aria-label={t('builder.redo')}
            disabled={editor.future.length === 0}
            onClick={() => onBack('redo')}
          >
            <IconArrowForwardUp size={20} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </span>
      {anywhere && <Palette onAdd={onAdd} />}
      <span className={styles.row}>
        <Button size="sm" variant="default" disabled={editor.now.length === 0} onClick={onNumber}>
          {t('builder.numbering')}
        </Button>
        {anywhere && (
          <Button size="sm" variant="default" onClick={onTemplates}>
            {t('builder.useTemplate')}
          </Button>
        )}
        <Switch label={t('builder.several')} checked={several} onChange={(event) => onSeveral(event.currentTarget.checked)} />
      </span>
    </div>
  );
};
