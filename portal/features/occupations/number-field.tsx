import { TextInput, type TextInputProps } from '@mantine/core';

type Props = {
  label: string;
  description?: string;
  value: string;
  error: string | undefined;
  /** Amounts of money have a part after the comma. */
  decimal?: boolean;
  /** Where the step begins. */
  focusFirst?: boolean;
  onChange: (value: string) => void;
} & Pick<TextInputProps, 'ref' | 'rightSection' | 'rightSectionWidth' | 'placeholder' | 'disabled'>;

/** A number as it was typed: nothing is corrected under the fingers, what is wrong is said beside it. */
export const NumberField = ({ label, description, value, error, decimal = false, focusFirst = false, onChange, ...more }: Props) => (
  <TextInput
    label={label}
    {...(description === undefined ? {} : { description })}
    size="md"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    onFocus={(event) => event.currentTarget.select()}
    error={error}
    errorProps={{ role: 'alert' }}
    inputMode={decimal ? 'decimal' : 'numeric'}
    maxLength={12}
    autoComplete="off"
    data-step-focus={focusFirst || undefined}
    {...more}
  />
);
