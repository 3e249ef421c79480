/** How much is promised of a version: `v2` more than `v2beta1`, that more than `v2alpha1`, any of them more than other words. */
const promises = ['alpha', 'beta', ''];

interface Parts {
  readonly promise: number;
  readonly major: number;
  readonly minor: number;
}

function partsOf(version: string): Parts | null {
  const found = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (!found) return null;
  const [, major, promise = '', minor = '0'] = found;
  return { promise: promises.indexOf(promise), major: Number(major), minor: Number(minor) };
}

/** Below 0 where a version is to be preferred to another. */
export function byPreference(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  if (one && other) return other.promise - one.promise || other.major - one.major || other.minor - one.minor;
  if (one || other) return one ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
