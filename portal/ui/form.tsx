import { useMergedRef } from '@mantine/hooks';
import { type ComponentProps, type KeyboardEvent, useEffect, useRef } from 'react';

type Props = Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> & { onSubmit: () => void };

/**
 * Every form that somebody types into and saves, which leaves no page. Refused, by itself or by the server, it brings what is said of that
 * into sight, and gives its first faulty field the focus: without that a long form's button seems dead.
 */
export const Form = ({ onSubmit, ref, ...more }: Props) => {
  const form = useRef<HTMLFormElement>(null);
  const whole = useMergedRef(form, ref);
  /** By which button it was sent, and nothing was typed since. */
  const sent = useRef<{ by: HTMLElement | null } | null>(null);
  const said = useRef<Element>(null);
  const show = (): void => {
    const faulty = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null;
    const alert = form.current?.querySelector('[role="alert"]') ?? null;
    const news = alert !== said.current ? alert : null;
    said.current = alert;
    if (sent.current === null) return;
    // In the middle, since what is wrong stands below its field, and neither may end up behind a bar that stays in sight.
    (faulty ?? news)?.scrollIntoView({ block: 'center' });
    if (faulty) {
      faulty.focus({ preventScroll: true });
      sent.current = null;
      // A button that works gives up the focus: it is where one goes on from.
    } else if (document.activeElement === document.body) sent.current.by?.focus({ preventScroll: true });
  };
  // What it says against itself stands there at the next drawing, what the server says at a later one.
  useEffect(show);
  return (
    <form
      {...more}
      ref={whole}
      noValidate
      onInput={() => {
        sent.current = null;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent;
        sent.current = { by: submitter };
        onSubmit();
        // What was faulty before is drawn no second time.
        requestAnimationFrame(show);
      }}
    />
  );
};

/** Of a form, or of a field in one, that says what is no word by the way: its buttons alone say it. */
export const notByEnter = (event: KeyboardEvent): void => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
};
