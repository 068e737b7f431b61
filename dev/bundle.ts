import path from 'node:path';
import { root } from './command.ts';

/** What is loaded when it is first used stays a package of its own; so does native code. */
export const APART = ['sharp', 'bwip-js', 'csv-parse', 'nodemailer', '@nats-io/transport-node'];

/** Migrations, styles and front ends are read where they lie: each module of ours goes on knowing where that is. */
const knowsItsPlace = (into: string) => ({
  name: 'knows-its-place',
  transform(code: string, id: string) {
    if (id.startsWith('\0') || id.includes('node_modules') || !code.includes('import.meta.')) return null;
    const way = (place: string) => path.relative(into, place).replaceAll(path.sep, '/');
    const placed = code
      .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${way(path.dirname(id))}`)})`)
      .replaceAll('import.meta.url', `new URL(${JSON.stringify(way(id))}, import.meta.url).href`);
    // no line moves, so the map of lines holds
    return { code: placed, map: null };
  },
});

/** A module with all that it imports as one file of plain JavaScript, which Node runs as it is: every name stays, so that a trace can be read. */
export const bundleOf = (folder: string, entry: string) => {
  const into = path.join(root, folder, 'dist');
  return {
    root,
    plugins: [knowsItsPlace(into)],
    ssr: { noExternal: true as const, external: APART },
    build: {
      ssr: path.join(root, folder, entry),
      target: 'node22',
      outDir: into,
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      reportCompressedSize: false,
      // V8 keeps a text of ASCII alone in half the room.
      rolldownOptions: {
        checks: { eval: false },
        output: { codeSplitting: false, comments: false, charset: 'ascii' as const },
      },
    },
  };
};
