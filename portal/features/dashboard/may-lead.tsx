import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Props = { to: LinkProps | null; className: string | undefined; children: ReactNode };

/** Leads to what it shows; null: this person may not go there, or there is nothing to see. */
export const MayLead = ({ to, className, children }: Props) =>
  to === null ? (
    <div className={className}>{children}</div>
  ) : (
    <Link {...to} className={className}>
      {children}
    </Link>
  );
