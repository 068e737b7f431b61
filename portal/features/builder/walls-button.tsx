import { Button, type ButtonProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { BuilderSearch } from './search.ts';

type Props = ButtonProps & { search: BuilderSearch; children: ReactNode; 'aria-label'?: string };

/** A way to another part of the builder. */
export const WallsButton = ({ search, ...button }: Props) => (
  <Button {...button} renderRoot={(props) => <Link to="/manage/lockers" search={search} {...props} />} />
);
