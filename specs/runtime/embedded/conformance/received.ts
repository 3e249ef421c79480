import type { KubeObject } from '../../../../crds/kind.ts';
import type { Precondition } from '../../../../runtime/services/cluster/cluster.ts';
import type { KindName, Over } from './ops.ts';

/** What a client received of each object, oldest first. */
export interface Received {
  readonly enter: (kind: KindName, object: KubeObject) => void;
  readonly newest: (kind: KindName, name: string) => KubeObject | undefined;
  readonly precondition: (kind: KindName, name: string, over: Over | undefined) => Precondition | undefined;
}

const never = { uid: 'never-given', version: '1' };

export function makeReceived(): Received {
  const received = new Map<string, readonly KubeObject[]>();
  const keyOf = (kind: KindName, name: string) => `${kind} ${name}`;
  const of = (kind: KindName, name: string) => received.get(keyOf(kind, name)) ?? [];

  const versionFor = (all: readonly KubeObject[], which: Over['version']) => {
    const newest = all.at(-1)?.metadata.resourceVersion;
    if (which === 'its') return newest;
    if (which === 'another') return never.version;
    return all.findLast(({ metadata }) => metadata.resourceVersion !== newest)?.metadata.resourceVersion;
  };

  return {
    enter: (kind, object) =>
      void received.set(keyOf(kind, object.metadata.name), [...of(kind, object.metadata.name), object]),
    newest: (kind, name) => of(kind, name).at(-1),
    precondition: (kind, name, over) => {
      if (over === undefined) return undefined;
      const all = of(kind, name);
      const uid = over.uid === 'another' ? never.uid : over.uid && all.at(-1)?.metadata.uid;
      const resourceVersion = over.version && versionFor(all, over.version);
      return { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    },
  };
}
