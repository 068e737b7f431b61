import { createFileRoute } from '@tanstack/react-router';
import { Token } from '../features/account/token.tsx';

export const Route = createFileRoute('/token')({ component: () => <Token /> });
