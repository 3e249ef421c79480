import type { StoredCause } from '../../crds/cause.ts';
import { systemNamespace } from '../../crds/names.ts';
import { type FoundCause, type Root, rootOf } from '../cause/cause.ts';
import { namespaceOf } from './environment.ts';
import { type Left, type Remaining, remainingSaid } from './remaining.ts';

interface Leaving {
  readonly project: string;
  readonly remaining: readonly Remaining[];
}

/** Finds what the deletion of another object waits for. */
type CauseOf = (kind: string, name: string) => StoredCause | undefined;

/** What the deletions of a project and of its environments wait for; the root is the first object that is left. */
export const deletionCauses = ({ project, remaining }: Leaving, causeOf: CauseOf): readonly FoundCause[] =>
  remaining
    .map((one) => ({ one, first: one.left[0] }))
    .flatMap(({ one, first }) =>
      first === undefined ? [] : [causeOfDeletion(project, one, rootOfLeft(first, causeOf))],
    );

function causeOfDeletion(project: string, one: Remaining, root: Root): FoundCause {
  const [message = { text: '' }] = remainingSaid([one]);
  const on =
    one.is === 'project'
      ? { kind: 'CoreProject', name: project, namespace: systemNamespace }
      : { kind: 'Namespace', name: namespaceOf(project, one.name), namespace: '' };
  return { of: 'Deletion', reason: 'DeletionWaits', message, on, root };
}

function rootOfLeft({ kind, name }: Left, causeOf: CauseOf): Root {
  if (kind === 'Namespace') return { kind, name, namespace: '', reason: 'NamespaceTerminating' };
  const worst = causeOf(kind, name);
  return worst ? rootOf(worst) : { kind, name, namespace: systemNamespace, reason: 'DeletionWaits' };
}
