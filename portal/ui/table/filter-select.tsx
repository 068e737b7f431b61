import { NativeSelect } from '@mantine/core';

type Props<V extends string> = {
  label: string;
  /** What it says where it does not narrow the list. */
  any: string;
  value: V | undefined;
  options: readonly { value: V; label: string }[];
  onChange: (value: V | undefined) => void;
};

/** Narrows a list to one of a few words. */
export const FilterSelect = <V extends string>({ label, any, value, options, onChange }: Props<V>) => (
  <NativeSelect
    size="sm"
    aria-label={label}
    value={value ?? ''}
    onChange={(event) => onChange(options.find((one) => one.value === event.currentTarget.value)?.value)}
    data={[{ value: '', label: any }, ...options]}
  />
);
