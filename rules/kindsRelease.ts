import { isLater } from './version.ts';

/** The releases of the program and of the stored kinds; null where these are compared with nothing. */
export interface Releases {
  readonly program: string;
  readonly kinds: string | null;
}

/** A tag such as v1.2.0 or v1.2.0-rc.1, in parts. */
interface Tag {
  readonly numbers: readonly string[];
  /** What stands behind the hyphen; empty for a release itself. */
  readonly before: readonly string[];
}

const form = /^v(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?$/;

function tagOf(text: string): Tag | null {
  const [, ...parts] = form.exec(text) ?? [];
  const [major = '', minor = '', patch = '', before = ''] = parts;
  if (major === '') return null;
  return { numbers: [major, minor, patch], before: before === '' ? [] : before.split('.') };
}

/** Whether a version is that of a release: a development build has none. */
export const isRelease = (version: string): boolean => tagOf(version) !== null;

const isNumber = (part: string) => /^\d+$/.test(part);

/** Numbers by their size and below words, words by their letters. */
function isPartBelow(a: string, b: string): boolean {
  if (isNumber(a) && isNumber(b)) return isLater(b, a);
  return isNumber(a) === isNumber(b) ? a < b : isNumber(a);
}

/** By the first part that differs; of two that differ in length alone the shorter is below. */
function isBelow(a: readonly string[], b: readonly string[]): boolean {
  const at = a.findIndex((part, index) => part !== b[index]);
  const [one, other] = [a[at], b[at]];
  if (one === undefined) return a.length < b.length;
  return other !== undefined && isPartBelow(one, other);
}

/** Whether a tag is of an earlier release than another; a release candidate comes before its release. */
function isEarlier(a: Tag, b: Tag): boolean {
  if (a.numbers.join('.') !== b.numbers.join('.')) return isBelow(a.numbers, b.numbers);
  if (a.before.length === 0 || b.before.length === 0) return a.before.length > b.before.length;
  return isBelow(a.before, b.before);
}

/** The oldest of the releases that definitions name; null where none names one. */
export const oldestRelease = (named: readonly string[]): string | null =>
  named
    .flatMap((text) => {
      const tag = tagOf(text);
      return tag === null ? [] : [{ text, tag }];
    })
    .reduce<{ readonly text: string; readonly tag: Tag } | null>(
      (oldest, one) => (oldest === null || isEarlier(one.tag, oldest.tag) ? one : oldest),
      null,
    )?.text ?? null;

/**
 * The file of definitions that is to be applied, because the stored ones are older than the program; null where they
 * are not, or nothing can be compared.
 */
export function definitionsToApply({ program, kinds }: Releases): string | null {
  const [now, stored] = [tagOf(program), kinds === null ? null : tagOf(kinds)];
  return now !== null && stored !== null && isEarlier(stored, now) ? `crds-${program.slice(1)}.yaml` : null;
}
