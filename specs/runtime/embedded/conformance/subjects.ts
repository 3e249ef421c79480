import { rmSync } from 'node:fs';
import { listAt, textAt } from '../../../../runtime/embedded/api/json.ts';
import type { Stored } from '../../../../runtime/embedded/store.ts';
import type { ClusterShape } from '../../../../runtime/services/cluster/cluster.ts';
import { kubeCluster } from '../../../../runtime/services/kube/cluster.ts';
import { kubeConfigOf } from '../../../../runtime/services/kube/config.ts';
import { install, manifests, started, type Started } from '../started.ts';
import { type KindName, kindNames } from './ops.ts';
import { clientOf } from './wire/client.ts';
import { memoryCluster } from '../../../support/memoryCluster.ts';
import { until } from '../../../support/until.ts';

/** A cluster under trial. */
export interface Subject {
  readonly name: 'memory' | 'embedded' | 'real';
  /** The kinds that it knows. */
  readonly kinds: readonly KindName[];
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
  // Whatever a client of the API may apply, which is more than what Core does.
  const cluster = memoryCluster(undefined, () => {});
  return {
    name: 'memory',
    kinds: kindNames,
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
    kinds: kindNames,
    get cluster() {
      return cluster;
    },
    collected: async () => {
      await until(() => !isLittered(api), 'the garbage to be collected');
    },
    bookmark: () => {},
    forget: async () => {
      await api.stop();
      // Where it is reached stands in its Endpoints: elsewhere it would write once more.
      api = await started({ dataDir, port: Number(new URL(api.url).port) });
      cluster = kubeCluster(kubeConfigOf(api.kubeconfigPath));
    },
    end: async () => {
      await api.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

const builds = '/apis/core.platform/v1alpha1/corebuilds';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A cluster beside ours, of which only our own kinds are asked: it need not have any other. */
export async function real(kubeconfigPath: string): Promise<Subject> {
  const client = await clientOf(kubeconfigPath);
  const names = manifests.map(({ metadata }) => textAt(metadata, 'name'));
  for (const body of manifests) await client.send({ method: 'POST', path: definitions, body });
  // Until then its controllers write too, and versions are told by their distance.
  const established = async (name: string) => {
    const { body } = await client.send({ method: 'GET', path: `${definitions}/${name}` });
    return listAt(body, 'status', 'conditions').some(
      (one) => textAt(one, 'type') === 'Established' && textAt(one, 'status') === 'True',
    );
  };
  const served = async () => (await client.send({ method: 'GET', path: builds })).code === 200;
  const pause = () => new Promise((done) => setTimeout(done, 100));
  for (const name of names) while (!(await established(name))) await pause();
  while (!(await served())) await pause();
  return {
    name: 'real',
    kinds: ['build'],
    cluster: kubeCluster(kubeConfigOf(kubeconfigPath)),
    collected: async () => {},
    bookmark: () => {},
    forget: async () => {},
    end: async () => {
      for (const name of names) await client.send({ method: 'DELETE', path: `${definitions}/${name}` });
      client.end();
    },
  };
}
