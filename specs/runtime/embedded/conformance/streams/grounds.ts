import { Effect } from 'effect';
import { systemNamespace } from '../../../../../crds/names.ts';
import { at, listAt } from '../../../../../runtime/embedded/api/json.ts';
import { pods } from '../../../../../runtime/services/cluster/resources.ts';
import type { ClusterShape } from '../../../../../runtime/services/cluster/cluster.ts';
import type { ExecShape } from '../../../../../runtime/services/exec.ts';
import { kubeCluster } from '../../../../../runtime/services/kube/cluster.ts';
import { kubeConfigOf } from '../../../../../runtime/services/kube/config.ts';
import { kubeExec } from '../../../../../runtime/services/kube/exec.ts';
import { memoryExec } from '../../../../support/memory/exec.ts';
import { memoryCluster } from '../../../../support/memoryCluster.ts';
import { until } from '../../../../support/until.ts';
import { startedNodes } from '../../startedNodes.ts';

/** What the one container of a pod does after its first lines. */
type Then = 'goes on' | 'says it is over' | 'fails, again and again';

/** A cluster whose pods run. */
export interface Ground {
  readonly name: 'memory' | 'embedded' | 'real';
  readonly cluster: ClusterShape;
  readonly exec: ExecShape;
  /** A pod whose container `main` has written these lines. */
  readonly runs: (name: string, lines: readonly string[], then?: Then) => Promise<void>;
  readonly end: () => Promise<void>;
}

export const lastWord = 'it is over';
const seconds = 1;
const run = Effect.runPromise;
const container = 'main';

const podNamed = (name: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: systemNamespace },
  spec,
});
const specOf = (script: string, restartPolicy: string) => ({
  restartPolicy,
  terminationGracePeriodSeconds: 0,
  containers: [{ name: container, image: 'busybox', command: ['sh', '-c', script] }],
});

/** In memory nothing runs: what nodes would tell of a container is put. */
export function inMemory(): Ground {
  const cluster = memoryCluster();
  const startedAt = new Date().toISOString();
  const tell = (name: string, status: object, phase = 'Running') =>
    run(
      cluster.patchStatus(
        pods,
        { name },
        { phase, containerStatuses: [{ name: container, restartCount: 0, ...status }] },
      ),
    );
  return {
    name: 'memory',
    cluster,
    exec: memoryExec(cluster),
    runs: async (name, lines, then = 'goes on') => {
      await run(cluster.create(pods, podNamed(name, { nodeName: 'one', ...specOf('', 'Never') })));
      if (then === 'fails, again and again') {
        cluster.logsBefore.set(name, lines.join('\n'));
        await tell(name, { state: { running: { startedAt } }, lastState: { terminated: { exitCode: 1 } } });
        return;
      }
      cluster.logs.set(name, lines.join('\n'));
      await tell(name, { state: { running: { startedAt } } });
      if (then === 'goes on') return;
      setTimeout(() => {
        cluster.write({ name }, lastWord);
        void tell(name, { state: { terminated: { exitCode: 0 } } }, 'Succeeded');
      }, seconds * 100);
    },
    end: async () => {},
  };
}

const endings: Readonly<Record<Then, readonly string[]>> = {
  'goes on': ['sleep 3600'],
  'says it is over': [`sleep ${seconds}`, `echo ${lastWord}`],
  'fails, again and again': ['exit 1'],
};

/** The services as Core has them, over a cluster that a kubeconfig leads to. */
function overKube(kubeconfig: string, name: Ground['name'], end: () => Promise<void>): Ground {
  const config = kubeConfigOf(kubeconfig);
  const cluster = kubeCluster(config);
  const made = new Set<string>();
  const ranBefore = async (pod: string): Promise<boolean> => {
    const [status] = listAt(await run(cluster.get(pods, { name: pod })), 'status', 'containerStatuses');
    return at(status, 'lastState', 'terminated') !== undefined;
  };
  const written = async (pod: string) => {
    const whole = run(cluster.podLog({ name: pod }, { container }));
    return whole.catch(() => '');
  };
  return {
    name,
    cluster,
    exec: kubeExec(config),
    runs: async (pod, lines, then = 'goes on') => {
      const script = [...lines.map((line) => `echo ${line}`), ...endings[then]].join('; ');
      const policy = then === 'fails, again and again' ? 'Always' : 'Never';
      made.add(pod);
      await run(cluster.create(pods, podNamed(pod, specOf(script, policy))));
      if (then === 'fails, again and again') {
        await until(() => ranBefore(pod), `${pod} is run again`);
        return;
      }
      await until(async () => (await written(pod)).split('\n').length > lines.length, `${pod} has written`);
    },
    end: async () => {
      for (const pod of made) await run(Effect.ignore(cluster.remove(pods, { name: pod })));
      await end();
    },
  };
}

export async function embedded(): Promise<Ground> {
  const api = await startedNodes();
  return overKube(api.kubeconfigPath, 'embedded', api.end);
}

/** A cluster beside ours. */
export const beside = (kubeconfig: string): Ground => overKube(kubeconfig, 'real', async () => {});
