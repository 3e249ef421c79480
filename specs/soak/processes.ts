import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Effect } from 'effect';
import { parse, stringify } from 'yaml';
import type { Endpoints } from '../../http/program/endpoints.ts';
import type { ClusterShape, WriteError } from '../../runtime/services/cluster/cluster.ts';
import { kubeCluster } from '../../runtime/services/kube/cluster.ts';
import { kubeConfigOf } from '../../runtime/services/kube/config.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { password } from '../support/product.ts';
import { until } from '../support/until.ts';
import { type Part, startPart } from './part.ts';
import { lastingPort } from './ports.ts';
import { type Proxy, startProxy } from './proxy.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

export interface SoakOptions {
  readonly root: string;
  readonly dir: string;
  readonly operators: number;
  readonly leaseSeconds: number;
  readonly webhookUrl: string;
  readonly random: Random;
  readonly timeline: Timeline;
}

/** One operator, where it serves, and the proxy it reaches the Kubernetes API through. */
export interface OperatorPart extends Part {
  readonly url: string;
  readonly proxy: Proxy;
}

/** The processes of a soak: one embedded cluster and the operators that live on it. */
export interface SoakProcesses {
  readonly cluster: Part;
  readonly operators: readonly OperatorPart[];
  readonly gitProxy: Proxy;
  readonly gitUrl: string;
  /** The Kubernetes API, past the proxies. */
  readonly direct: ClusterShape;
  /** Where everything of the soak is kept. */
  readonly dir: string;
  /** What containers keep. */
  readonly containersDir: string;
  readonly stop: () => Promise<void>;
}

/** A terminal of a container that runs on this machine is one of `script`. */
export const hasTerminals = existsSync('/usr/bin/script');

const readyWithinMs = 30_000;

/** Starts the cluster alone, then operators that see it only through proxies. */
export async function startGround(options: SoakOptions): Promise<SoakProcesses> {
  const { root, dir, operators: count, leaseSeconds, webhookUrl, random, timeline } = options;
  const [kubePort, gitPort] = [await lastingPort(), await lastingPort()];
  const containersDir = join(dir, 'containers');
  mkdirSync(containersDir);
  const cluster = startPart({
    name: 'cluster',
    root,
    dataDir: join(dir, 'cluster'),
    args: [
      '--role',
      'cluster',
      '--kube-port',
      `${kubePort}`,
      '--git-port',
      `${gitPort}`,
      '--cloud-port',
      '0',
      '--webhook-url',
      webhookUrl,
    ],
    env: { ...(hasTerminals && { CORE_EXEC: 'local' }), TMPDIR: containersDir },
    timeline,
  });
  const stopping: (() => Promise<unknown>)[] = [cluster.stop];
  const stop = async () => {
    for (const each of stopping.toReversed()) await each();
  };
  try {
    await until(cluster.isReady, 'the cluster is ready', readyWithinMs);
    const endpoints = JSON.parse(readFileSync(join(cluster.dataDir, 'endpoints.json'), 'utf8')) as Endpoints;
    const kubeconfig = endpoints.kubeconfig ?? '';
    const gitUrl = endpoints.gitHost ?? '';
    const gitProxy = await startProxy(() => gitPort, random.fork('git'));
    stopping.push(gitProxy.stop);

    const operators: OperatorPart[] = [];
    for (let index = 0; index < count; index++) {
      const name = `operator-${index}`;
      const proxy = await startProxy(() => kubePort, random.fork(name));
      stopping.push(proxy.stop);
      const port = await lastingPort();
      const part = startPart({
        name,
        root,
        dataDir: join(dir, name),
        args: [
          `--port=${port}`,
          '--health-port=0',
          '--metrics-port=0',
          `--kubeconfig=${throughProxy(kubeconfig, proxy.port, join(dir, `${name}.kubeconfig`))}`,
          `--git-url=${gitUrl}`,
          `--git-api-url=http://127.0.0.1:${gitProxy.port}/api`,
        ],
        env: { CORE_ADMIN_PASSWORD: password, CORE_LEASE_SECONDS: `${leaseSeconds}` },
        timeline,
      });
      stopping.push(part.stop);
      operators.push({ ...part, proxy, url: `http://127.0.0.1:${port}` });
    }
    await until(() => operators.every(({ isReady }) => isReady()), 'every operator is ready', readyWithinMs);
    const direct = kubeCluster(kubeConfigOf(kubeconfig));
    return { cluster, operators, gitProxy, gitUrl, direct, dir, containersDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A copy of the kubeconfig that leads to the proxy. */
function throughProxy(kubeconfig: string, port: number, path: string): string {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as { clusters: { cluster: { server: string } }[] };
  for (const { cluster } of config.clusters) cluster.server = `https://127.0.0.1:${port}`;
  writeFileSync(path, stringify(config), { mode: 0o600 });
  return path;
}

/** What became of a call: done, surely not done, or nobody knows. */
export type Outcome<A> =
  | { readonly is: 'done'; readonly value: A }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'unknown'; readonly why: string };

/** Runs a call of the Kubernetes API; only an answer tells what became of it. */
export const outcomeOf = <A>(call: Effect.Effect<A, WriteError>): Promise<Outcome<A>> =>
  Effect.runPromise(
    Effect.match(call, {
      onSuccess: (value): Outcome<A> => ({ is: 'done', value }),
      onFailure: (error): Outcome<A> => ({
        is: error._tag === 'Unavailable' ? 'unknown' : 'refused',
        why: errorMessage(error),
      }),
    }),
  );
