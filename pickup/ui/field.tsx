import { useId, type ComponentProps } from 'react';

type Props = Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with it. */
  wrong?: string | null;
  /** What it is for, said below it. */
  hint?: string;
};

/** One line to be typed, below its label. */
export function Field({ label, onChange, wrong = null, hint, ...input }: Props) {
  const id = useId();
  const about = hint === undefined ? input['aria-describedby'] : `${id}-hint`;
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input
        aria-invalid={wrong !== null}
        {...input}
        id={id}
        aria-describedby={wrong === null ? about : `${id}-wrong`}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && (
        <span className="dim" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {wrong !== null && (
        <span className="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </span>
      )}
    </p>
  );
}
