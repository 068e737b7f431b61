import type { Icon } from '@tabler/icons-react';
import styles from './state-badge.module.css';

export type Tone = 'plain' | 'accent' | 'ok' | 'warn' | 'bad' | 'unknown';
type Props = { icon: Icon; word: string; tone?: Tone; title?: string };

/** A state by icon, word and colour; colour never carries it alone, and what nobody knows is hatched. Plain markup: it stands in every row. */
export const StateBadge = ({ icon: StateIcon, word, tone = 'plain', title }: Props) => (
  <span className={styles.badge} data-tone={tone} title={title}>
    <StateIcon size={15} stroke={2} aria-hidden />
    <span>{word}</span>
  </span>
);
