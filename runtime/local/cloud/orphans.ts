import type { Change, CloudState, Version } from './state.ts';

const bodyOf = (version: Version | undefined): readonly string[] =>
  version === undefined || version.body === null ? [] : [version.body];

/** The bodies that nothing names any more once a change has happened. */
export function orphanedBy({ buckets }: CloudState, change: Change): readonly string[] {
  switch (change.is) {
    case 'put': {
      const versions = buckets.get(change.bucket)?.versions.get(change.key);
      return bodyOf(versions?.find(({ id }) => id === change.version.id));
    }
    case 'versionRemoved':
      return bodyOf(
        buckets
          .get(change.bucket)
          ?.versions.get(change.key)
          ?.find(({ id }) => id === change.id),
      );
    case 'partPut': {
      const before = buckets.get(change.bucket)?.uploads.get(change.upload)?.parts.get(change.number);
      return before === undefined ? [] : [before.body];
    }
    case 'uploadEnded':
      return [...(buckets.get(change.bucket)?.uploads.get(change.upload)?.parts.values() ?? [])].map(
        ({ body }) => body,
      );
    default:
      return [];
  }
}

/** Every body that a state names. */
export function bodiesOf({ buckets }: CloudState): ReadonlySet<string> {
  const named = [...buckets.values()].flatMap(({ versions, uploads }) => [
    ...[...versions.values()].flatMap((all) => all.flatMap(bodyOf)),
    ...[...uploads.values()].flatMap(({ parts }) => [...parts.values()].map(({ body }) => body)),
  ]);
  return new Set(named);
}
