import { bundleOf } from '@hatchway/dev/bundle.ts';
import { defineConfig } from 'vite';

export default defineConfig(bundleOf('server', 'production.ts'));
