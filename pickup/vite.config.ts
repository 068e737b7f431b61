import { fileURLToPath } from 'node:url';
import { textsAlone } from '@hatchway/dev/jsx-plugin.ts';
import { narrowTypeface } from '@hatchway/dev/narrow-typeface.ts';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: '/',
  plugins: [react(), textsAlone(), narrowTypeface()],
  // A folder name of its own, for the site shares `/` with the portal, the API and the sandbox.
  build: {
    // Phones that come here may be six years old; what the language lacks there, we do without.
    target: ['es2020', 'chrome87', 'firefox90', 'safari14'],
    outDir: here('./dist'),
    emptyOutDir: true,
    assetsDir: 'pickup-assets',
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
  },
});
