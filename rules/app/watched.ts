import picomatch from 'picomatch';
import { sourceLimits } from '../../crds/sourceLimits.ts';

interface Pattern {
  readonly excludes: boolean;
  readonly matches: (file: string) => boolean;
}

/** A path as a Git host spells it: without surrounding slashes and empty or `.` segments. */
const plainPath = (path: string): string =>
  path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/');

const options = { dot: true, nonegate: true } as const;

/** Matches as a glob, or with literal brackets and parentheses: `app/[slug]/page.tsx`. */
const globOf = (glob: string) => picomatch([glob, glob.replaceAll(/[[\]()]/g, String.raw`\$&`)], options);

/** A path without a wildcard names a file, or a folder with its contents, like a path with a final slash. */
function patternOf(text: string): Pattern {
  const excludes = text.startsWith('!');
  const path = plainPath(excludes ? text.slice(1) : text);
  const isNone = path === '' || path.length > sourceLimits.path.maxLength;
  const isFolder = text.endsWith('/') || !/[*?{]/.test(path);
  return { excludes, matches: isNone ? () => false : globOf(isFolder ? `${path}/**` : path) };
}

/**
 * Whether a service watches one of these files. Its patterns are one ordered set: the last that matches a file decides. A list
 * that begins with an exclusion starts from every file, and so does an empty one (decision 150).
 */
export function watchesAny(patterns: readonly string[], files: readonly string[]): boolean {
  const [first, ...more] = patterns.map(patternOf);
  if (first === undefined) return true;
  const ordered = [first, ...more].toReversed();
  return files.some((file) => {
    const last = ordered.find(({ matches }) => matches(file));
    return last === undefined ? first.excludes : !last.excludes;
  });
}
