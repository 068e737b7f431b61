import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

type Props = { tone: 'bad' | 'warn' | 'info' | 'ok'; title?: string | undefined; children?: ReactNode };

/** News that is spoken too: at once where something failed, in its turn otherwise. */
export function Notice({ tone, title, children }: Props) {
  // An output is a status to those who listen.
  const Tag = tone === 'bad' ? 'div' : 'output';
  return (
    <Tag className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={tone === 'ok' ? 'ok' : tone === 'info' ? 'info' : 'warn'} />
      <span className="said">
        {title !== undefined && <strong>{title}</strong>}
        {children}
      </span>
    </Tag>
  );
}
