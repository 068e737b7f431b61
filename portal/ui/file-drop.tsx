import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import styles from './file-drop.module.css';

type Props = { title: string; text: string; accept: string; busy?: boolean; icon?: ReactNode; onFile: (file: File) => void };

/** A place to drop a file at, which is also a button that chooses one: by mouse, keyboard, or a phone's camera where it takes pictures. */
export const FileDrop = ({ title, text, accept, busy, icon, onFile }: Props) => {
  const field = useRef<HTMLInputElement>(null);
  const hint = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file) onFile(file);
    // The same file may be chosen again, mended.
    if (field.current) field.current.value = '';
  };
  const drag = (event: DragEvent, on: boolean): void => {
    event.preventDefault();
    setOver(on);
  };
  return (
    <>
      <button
        type="button"
        className={styles.drop}
        data-over={over || undefined}
        disabled={busy}
        aria-describedby={hint}
        onClick={() => field.current?.click()}
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false);
          take(event.dataTransfer.files);
        }}
      >
        {icon ?? <IconUpload size={24} stroke={1.6} aria-hidden />}
        <span className={styles.title}>{title}</span>
      </button>
      <p id={hint} className={styles.text}>
        {text}
      </p>
      <input ref={field} type="file" accept={accept} hidden aria-label={title} onChange={(event) => take(event.currentTarget.files)} />
    </>
  );
};
