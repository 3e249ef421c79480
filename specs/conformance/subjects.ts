import { rmSync } from 'node:fs';
import type { Stored } from '../../runtime/embedded/store.ts';
import type { ClusterShape } from '../../runtime/services/cluster.ts';
import { kubeCluster } from '../../runtime/services/kube/cluster.ts';
import { kubeConfigOf } from '../../runtime/services/kube/config.ts';
import { install, started, type Started } from '../embedded/started.ts';
import { memoryCluster } from '../support/memoryCluster.ts';
import { until } from '../support/until.ts';

/** A cluster under trial. */
export interface Subject {
  readonly name: 'memory' | 'embedded';
  readonly cluster: ClusterShape;
  /** Waits until everything that lost its owner is collected. */
  readonly collected: () => Promise<void>;
  /** Lets every watch be told how far it has come, now or within seconds. */
  readonly bookmark: () => void;
  /** Forgets what changed so far, as a server does in time. */
  readonly forget: () => Promise<void>;
  readonly end: () => Promise<void>;
}

export function inMemory(): Subject {
  const cluster = memoryCluster();
  return {
    name: 'memory',
    cluster,
    collected: async () => {},
    bookmark: cluster.bookmark,
    forget: async () => cluster.forget(),
    end: async () => {},
  };
}

const buckets = ['core.platform/corebuilds', '/pods', '/secrets'];

/** Whether the garbage collector has still something to do: a dependent that names an owner who is gone. */
function isLittered({ store }: Started): boolean {
  const all: readonly Stored[] = buckets.flatMap((bucket) => store.list(bucket));
  const living = new Set(all.map(({ metadata }) => metadata.uid));
  return all.some(
    ({ metadata: { deletionTimestamp, ownerReferences = [] } }) =>
      deletionTimestamp === undefined && ownerReferences.some(({ uid }) => !living.has(uid)),
  );
}

/** The real service over an embedded API server of its own; forgetting is starting it again. */
export async function embedded(): Promise<Subject> {
  const first = await started();
  let api = first;
  await install(api);
  let cluster = kubeCluster(kubeConfigOf(api.kubeconfigPath));
  const { dataDir } = first;
  return {
    name: 'embedded',
    get cluster() {
      return cluster;
    },
    collected: async () => {
      await until(() => !isLittered(api), 'the garbage to be collected');
    },
    bookmark: () => {},
    forget: async () => {
      await api.stop();
      api = await started({ dataDir });
      cluster = kubeCluster(kubeConfigOf(api.kubeconfigPath));
    },
    end: async () => {
      await api.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
