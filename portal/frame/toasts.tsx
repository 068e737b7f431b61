import '../ui/all-styles.ts';
import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';
import { createRoot } from 'react-dom/client';
import styles from './toasts.module.css';
import { Looks } from './looks.tsx';

const Toasts = () => (
  <Notifications
    position="top-right"
    autoClose={5000}
    limit={20}
    containerWidth={360}
    withinPortal={false}
    pauseResetOnHover="notification"
    classNames={{ root: styles.toasts ?? '' }}
  />
);

let mounted = false;
/** A root of their own: toasts outlive whatever screen showed them, and an error boundary too. */
export const mountToasts = (): void => {
  if (mounted) return;
  mounted = true;
  const place = document.body.appendChild(document.createElement('div'));
  createRoot(place).render(
    <Looks>
      <Toasts />
    </Looks>,
  );
};
