import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { Effect, Exit, Scope } from 'effect';
import { clusterOptions } from '../../runtime/local/clusterOptions.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { startApi } from '../../runtime/embedded/api/server.ts';
import { type Cache, makeCache } from '../../runtime/cache/cache.ts';
import { Cluster, type Resource } from '../../runtime/services/cluster/cluster.ts';
import { kubeCluster } from '../../runtime/services/kube/cluster.ts';
import { until } from '../support/until.ts';
import { startProxy, type Trouble } from './proxy.ts';

export interface Deafness {
  readonly trouble: Trouble;
  /** From the moment it could be heard again, or with a half-open socket from the moment it could not. */
  readonly ms: number;
  readonly boundMs: number;
  /** The most the cache said of its own age meanwhile, as the metric shows it. */
  readonly ageMs: number;
}

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** Longer than between two bookmarks of the embedded API, as the default is for a real one. */
const silenceMs = 12_000;
/** Until a watch is opened or a list is read, on a machine that has other things to do. */
const answerMs = 1_000;
const mostPauseMs = 10_000;
const outageMs = 3_000;
const configMaps: Resource<ConfigMap> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

/**
 * What holds of the time until a cache is true again. A half-open socket is given up when nothing was heard for the
 * silence allowed. A peer that answered nothing may have left one more request hanging, which is given up likewise, and
 * after it, as after refusals, comes at most the longest pause between two tries. A version that is too old costs a list.
 */
const bounds: Readonly<Record<Exclude<Trouble, 'none'>, number>> = {
  halfOpen: silenceMs + answerMs,
  silent: silenceMs + mostPauseMs + answerMs,
  tooMany: mostPauseMs + answerMs,
  gone: 2 * answerMs,
};

/** Each trouble once, against a cache over a real API server behind a proxy. */
export async function deafness(): Promise<readonly Deafness[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-deaf-'));
  const api = await startApi({ ...clusterOptions, dataDir, host: '127.0.0.1', port: 0 });
  const proxy = await startProxy(api);
  const cluster = kubeCluster(configOf(proxy.url));
  const scope = Scope.makeUnsafe();
  const place = (name: string) => ({ bucket: '/configmaps', namespace: systemNamespace, name });
  const cache = await Effect.runPromise(
    makeCache(configMaps, { silenceMs }).pipe(
      Effect.provideService(Cluster, cluster),
      Effect.provideService(Scope.Scope, scope),
    ),
  );
  await Effect.runPromise(cache.synced);

  async function one(trouble: Exclude<Trouble, 'none'>): Promise<Deafness> {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { trouble } };
    await api.store.create(place(`before-${trouble}`), object);
    await until(() => cache.get(`before-${trouble}`), `${trouble}: the watch hears`, 30_000);
    let start = performance.now();
    proxy.set(trouble);
    await api.store.create(place(`during-${trouble}`), object);
    if (trouble === 'silent' || trouble === 'tooMany') {
      await new Promise((go) => setTimeout(go, trouble === 'silent' ? silenceMs + outageMs : outageMs));
      if (cache.get(`during-${trouble}`)) throw new Error(`${trouble}: heard while nothing could be`);
      proxy.set('none');
      start = performance.now();
    }
    const age = watchAge(cache);
    await until(() => cache.get(`during-${trouble}`), `${trouble}: the cache is true again`, 120_000);
    const ms = performance.now() - start;
    proxy.set('none');
    return { trouble, ms, boundMs: bounds[trouble], ageMs: age.end() };
  }

  const measured: Deafness[] = [];
  for (const trouble of ['gone', 'tooMany', 'halfOpen', 'silent'] as const) measured.push(await one(trouble));
  await Effect.runPromise(Scope.close(scope, Exit.void));
  await proxy.stop();
  await api.stop();
  rmSync(dataDir, { recursive: true });
  return measured;
}

/** Reads again and again how old a cache says it is. */
function watchAge(cache: Cache<ConfigMap>) {
  let most = 0;
  const read = async () => {
    most = Math.max(most, await Effect.runPromise(cache.age));
  };
  void read();
  const reading = setInterval(() => void read(), 50);
  return {
    end: () => {
      clearInterval(reading);
      return most;
    },
  };
}

function configOf(server: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'proxy', server, skipTLSVerify: true }, { name: 'nobody' });
  return config;
}
