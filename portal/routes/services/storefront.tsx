import { createFileRoute } from '@tanstack/react-router';
import { Storefront } from '../../features/storefront/storefront.tsx';

export const Route = createFileRoute('/services/storefront')({ component: Storefront });
