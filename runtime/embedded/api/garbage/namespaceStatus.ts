import type { Bucket, Stored } from '../../store.ts';
import { listAt } from '../json.ts';
import { resourceOf } from '../status.ts';
import { timestamp } from '../store/objects.ts';

/** An object in a namespace that is ending. */
export interface Left {
  readonly bucket: Bucket;
  readonly object: Stored;
}

/** The status of a namespace that is ending: what is still in it, and what those objects wait for. */
export function terminating(namespace: Stored, left: readonly Left[]): object {
  const contents = countsOf(left.map(({ bucket }) => wordOf(bucket)));
  const finalizers = countsOf(left.flatMap(({ object }) => object.metadata.finalizers ?? []));
  const said = [
    no('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    no(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    no(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      left.length > 0
        ? 'All content successfully deleted, may be waiting on finalization'
        : 'All content successfully deleted',
    ),
    contents.length > 0
      ? yes(
          'NamespaceContentRemaining',
          'SomeResourcesRemain',
          `Some resources are remaining: ${contents.map(([name, count]) => `${name} has ${count} resource instances`).join(', ')}`,
        )
      : no('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'),
    finalizers.length > 0
      ? yes(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${finalizers.map(([name, count]) => `${name} in ${count} resource instances`).join(', ')}`,
        )
      : no('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'),
  ];
  const before = listAt(namespace, 'status', 'conditions') as readonly Condition[];
  const conditions = said.map((one) => {
    const old = before.find(({ type }) => type === one.type);
    const lastTransitionTime = old?.status === one.status ? old.lastTransitionTime : timestamp();
    return { ...one, lastTransitionTime };
  });
  return { phase: 'Terminating', conditions };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

const no = (type: string, reason: string, message: string) => ({ type, status: 'False', reason, message });
const yes = (type: string, reason: string, message: string) => ({ type, status: 'True', reason, message });

/** `pods.` for the core group, `jobs.batch` for others. */
function wordOf(bucket: Bucket): string {
  const { group, plural } = resourceOf(bucket);
  return `${plural}.${group}`;
}

function countsOf(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
