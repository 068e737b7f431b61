import { defineConfig } from 'vite';
import { bundleOf } from './bundle.ts';

export default defineConfig(bundleOf('dev', 'start.ts'));
