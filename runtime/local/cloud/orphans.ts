import type { Change, CloudState, Upload, Version } from './state.ts';

const bodyOf = (version: Version | undefined): readonly string[] =>
  version === undefined || version.body === null ? [] : [version.body];

const bodiesOfParts = (upload: Upload | undefined): readonly string[] =>
  [...(upload?.parts.values() ?? [])].map(({ body }) => body);

/** The bodies that are no longer referenced after a change. */
export function orphanedBy({ buckets }: CloudState, change: Change): readonly string[] {
  const versionOf = (bucket: string, key: string, id: string) =>
    bodyOf(
      buckets
        .get(bucket)
        ?.versions.get(key)
        ?.find((one) => one.id === id),
    );
  const uploadOf = (bucket: string, id: string) => buckets.get(bucket)?.uploads.get(id);
  switch (change.is) {
    case 'put':
      return versionOf(change.bucket, change.key, change.version.id);
    case 'versionRemoved':
      return versionOf(change.bucket, change.key, change.id);
    case 'partPut': {
      const before = uploadOf(change.bucket, change.upload)?.parts.get(change.number);
      return before === undefined ? [] : [before.body];
    }
    case 'uploadEnded':
      return bodiesOfParts(uploadOf(change.bucket, change.upload));
    case 'bucketRemoved':
      return [...(buckets.get(change.bucket)?.uploads.values() ?? [])].flatMap(bodiesOfParts);
    default:
      return [];
  }
}

/** All bodies that a state references. */
export function bodiesOf({ buckets }: CloudState): ReadonlySet<string> {
  const named = [...buckets.values()].flatMap(({ versions, uploads }) => [
    ...[...versions.values()].flatMap((all) => all.flatMap(bodyOf)),
    ...[...uploads.values()].flatMap(bodiesOfParts),
  ]);
  return new Set(named);
}
