import { createFileRoute } from '@tanstack/react-router';
import { Profile } from '../features/account/profile.tsx';

export const Route = createFileRoute('/profile')({ component: () => <Profile /> });
