import { fileURLToPath } from 'node:url';

const OURS = fileURLToPath(new URL('./jsx-runtime.ts', import.meta.url));

/** Every element, of ours or of a package's, is made by our own runtime. */
export const textsAlone = () => ({
  name: 'texts-alone',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined) => (source === 'react/jsx-runtime' && importer !== OURS ? OURS : null),
});
