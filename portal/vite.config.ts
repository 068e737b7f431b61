import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * The build id is a digest of the built files' names, which carry their content's hashes: the same sources give the same id on every machine.
 * It is written to `build.json`; the server reads it from there for /config, and closes live sockets with 4000 when it has changed.
 */
const buildId = (): Plugin => ({
  name: 'hatchway-build-id',
  apply: 'build',
  generateBundle(_, bundle) {
    const names = Object.keys(bundle).sort().join('\n');
    const id = createHash('sha256').update(names).digest('hex').slice(0, 12);
    this.emitFile({ type: 'asset', fileName: 'build.json', source: `${JSON.stringify({ build: id })}\n` });
  },
});

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
    buildId(),
  ],
  // The server replaces this word in index.html by the answer's nonce; Mantine's style tags take it from the meta tag that vite writes.
  html: { cspNonce: '__CSP_NONCE__' },
  build: { target: 'es2024', manifest: true, outDir: here('./dist'), emptyOutDir: true, assetsInlineLimit: 0, reportCompressedSize: false },
});
