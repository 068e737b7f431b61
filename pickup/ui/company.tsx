import type { PickupCompany } from '@hatchway/contract/pickup.ts';
import { inkOn } from '@hatchway/domain/colour.ts';
import { useEffect, type ReactNode } from 'react';

type Props = {
  company: PickupCompany;
  /** Where its logo is fetched; null: nowhere from here. */
  logo: string | null;
  /** What stands in the place of its name. */
  children?: ReactNode;
};

export const logoAt = (cabinet: string | undefined): string | null =>
  cabinet === undefined ? null : `/v1/pickup/cabinets/${encodeURIComponent(cabinet)}/logo`;

/** Whose page it is: its name, its logo, and its colour, which the main buttons take on. The text on it is whatever is read there. */
export function Company({ company, logo, children }: Props) {
  const { color, hasLogo, name } = company;
  useEffect(() => {
    const { style } = document.documentElement;
    if (color === null) return;
    style.setProperty('--brand', color);
    style.setProperty('--on-brand', inkOn(color));
    return () => {
      style.removeProperty('--brand');
      style.removeProperty('--on-brand');
    };
  }, [color]);
  return (
    <div className="company">
      {hasLogo && logo !== null && <img src={logo} alt="" />}
      {children ?? <p>{name}</p>}
    </div>
  );
}
