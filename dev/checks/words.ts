import type { SourceFile } from '../files.ts';

/**
 * What belongs to somebody's machine or workplace and never to the repository: absolute paths of home and work folders, secrets. System paths that every Debian has (/usr/bin, /etc, /tmp, /proc, /dev) are fine.
 */
const forbidden: { name: string; pattern: RegExp }[] = [
  {
    name: 'an absolute path of a workplace',
    pattern: /(?<![\w.:/@}-])\/(?:home|Users|work|workspace|mnt|srv|media|Volumes)\/[\w.-]+/,
  },
  { name: 'a drive of a machine', pattern: /(?<![\w])[A-Z]:\\(?!n|r|t)[\w.-]+/ },
  { name: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*\n[A-Za-z0-9+/]{40}/ },
  { name: 'an access token', pattern: /\b(?:ghp|gho|npm)_[A-Za-z0-9]{30,}/ },
];

export const wordFaults = (files: SourceFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) =>
      forbidden.flatMap(({ name, pattern }) => {
        const found = pattern.exec(line);
        return found ? [`${path}:${at + 1} holds ${name}: ${found[0].slice(0, 60)}`] : [];
      }),
    ),
  );

type Lock = { packages?: Record<string, { resolved?: string; link?: boolean; integrity?: string; inBundle?: boolean }> };

/** The lock file names versions and hashes, and no host: whoever installs takes their own registry. */
export function lockFaults(text: string): string[] {
  const { packages = {} } = JSON.parse(text) as Lock;
  return Object.entries(packages).flatMap(([place, entry]) => {
    if (entry.link || !place.includes('node_modules/')) return [];
    if (entry.resolved && /^[a-z+]+:/.test(entry.resolved))
      return [`package-lock.json: ${place} names a host (${entry.resolved.slice(0, 60)})`];
    return entry.integrity || entry.inBundle ? [] : [`package-lock.json: ${place} has no hash`];
  });
}

/** Versions in every package.json are exact, so that the same clone installs the same things tomorrow. */
export function versionFaults(path: string, text: string): string[] {
  const parsed = JSON.parse(text) as Record<string, Record<string, string> | undefined>;
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(parsed[kind] ?? {}).flatMap(([name, version]) =>
      /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) ? [] : [`${path}: ${name} is "${version}", not an exact version`],
    ),
  );
}
