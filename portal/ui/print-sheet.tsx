import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import './print-sheet.css';

/** What a printer gets instead of the page while this is mounted; nothing of it is seen or heard on the screen. */
export const PrintSheet = ({ className, children }: { className: string; children: ReactNode }) =>
  createPortal(
    <div className={className} data-print-sheet aria-hidden>
      {children}
    </div>,
    document.body,
  );
