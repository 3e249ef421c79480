import type { KubeObject } from '../../crds/kind.ts';
import type { FoundCause } from '../cause/cause.ts';
import type { Condition } from '../condition.ts';
import { hidden, joined, open, sentence, toViewers } from '../words.ts';

/** A namespace that is being deleted, and what holds it. */
export interface Terminating {
  readonly name: string;
  /** The finalizers of its contents, or its own. */
  readonly finalizers: readonly string[];
  /** What the cluster says about its deletion, when no finalizer holds it. */
  readonly why: string;
}

interface Ending extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly conditions?: readonly Pick<Condition, 'type' | 'status' | 'message'>[] };
}

/** The cluster's own finalizer of every namespace: it stays until the contents are gone. */
const ofEveryNamespace = 'kubernetes';
/** `finalizers remaining: <finalizer> in <n> resource instances, <finalizer> in …`. */
const remainingFinalizer = /(?:: |, )(\S+) in \d+ resource instances/g;

/** What holds a namespace that is being deleted, by the conditions that the cluster writes. */
export function terminatingOf(namespace: KubeObject): Terminating {
  const { metadata, spec, status }: Ending = namespace;
  const held = (status?.conditions ?? []).filter((condition) => condition.status === 'True');
  const text = held.find(({ type }) => type === 'NamespaceFinalizersRemaining')?.message ?? '';
  const ofContents = [...text.matchAll(remainingFinalizer)].map(([, finalizer = '']) => finalizer);
  const own = [...(metadata.finalizers ?? []), ...(spec?.finalizers ?? [])].filter((one) => one !== ofEveryNamespace);
  return {
    name: metadata.name,
    finalizers: [...new Set([...ofContents, ...own])],
    why: held.find(({ message }) => message !== '')?.message ?? '',
  };
}

const holding = ({ finalizers, why }: Terminating) => {
  if (finalizers.length > 0)
    return sentence('; {finalizers} hold it', {
      finalizers: joined(
        finalizers.map((finalizer) => sentence('{finalizer}', { finalizer: toViewers(finalizer) })),
        ', ',
      ),
    });
  return why === '' ? open('') : sentence(': {why}', { why: hidden(why) });
};

/** The cause of everything that cannot be written into the namespace. */
export const causeOfTerminating = (namespace: Terminating): FoundCause => ({
  reason: 'NamespaceTerminating',
  message: sentence('namespace "{namespace}" is being deleted{holding}', {
    namespace: toViewers(namespace.name),
    holding: holding(namespace),
  }),
  on: { kind: 'Namespace', name: namespace.name, namespace: '' },
});
