import { fileURLToPath } from 'node:url';
import { textsAlone } from '@hatchway/dev/jsx-plugin.ts';
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
      // Each icon that several screens draw would be a file of its own, of 200 bytes: ten requests fewer for a screen, and no more bytes in all.
      output: { codeSplitting: { groups: [{ name: 'icons', test: /@tabler[\\/]icons-react/, minShareCount: 14 }] } },
    },
  },
});
