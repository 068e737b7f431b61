import { fileURLToPath } from 'node:url';
import { textsAlone } from '@hatchway/dev/jsx-plugin.ts';
import { narrowTypeface } from '@hatchway/dev/narrow-typeface.ts';
import react from '@vitejs/plugin-react';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: '/portal/',
  plugins: [
    // Stands before react(): the other way round neither the tree nor the split chunks come about.
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: here('./routes'),
      generatedRouteTree: here('./app/route-tree.gen.ts'),
      addExtensions: true,
      semicolons: true,
      disableLogging: true,
    }),
    react(),
    textsAlone(),
    narrowTypeface(),
  ],
  // The server replaces this word in index.html by the answer's nonce; Mantine's style tags take it from the meta tag that vite writes.
  html: { cspNonce: '__NONCE__' },
  build: {
    target: 'es2024',
    manifest: true,
    outDir: here('./dist'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // A file of each few modules that the same screens share is a hundred files, and every six of them a turn of a phone's line. So what
      // is loaded before the sign-in, the application and the first screen are one file each, with all that they import.
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', tags: ['$initial'], priority: 3 },
            {
              name: 'drawing',
              test: /portal[\\/]app[\\/]drawing\.ts$|node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 3,
            },
            { name: 'application', test: /portal[\\/]application\.tsx$/, priority: 2 },
            { name: 'dashboard', test: /features[\\/]dashboard[\\/]dashboard\.tsx$|routes[\\/](index|dash)\.tsx\?/, priority: 1 },
            // Each icon that several other screens draw would be a file of its own, of 200 bytes.
            { name: 'icons', test: /@tabler[\\/]icons-react/, minShareCount: 14 },
          ],
        },
      },
    },
  },
});
