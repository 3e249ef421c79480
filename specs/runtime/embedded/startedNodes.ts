import { clusterOptions } from '../../../runtime/local/clusterOptions.ts';
import { type Nodes, type NodesOptions, startNodes } from '../../../runtime/embedded/nodes/nodes.ts';
import { defaultNodes } from '../../../runtime/embedded/nodes/defaults.ts';
import type { Json } from '../../../runtime/embedded/api/json.ts';
import { textAt } from '../../../runtime/embedded/api/json.ts';
import { type Started, configMap, eventually, inSystem, started } from './started.ts';

/** An API with simulated nodes below it. */
export interface Cluster extends Started {
  /** Creates a pod and waits until it runs. */
  readonly runPod: (name: string, spec?: Json) => Promise<void>;
}

export async function startedNodes(exec: NodesOptions['exec'] = 'simulated', pods = ''): Promise<Cluster> {
  const nodes: { running?: Nodes } = {};
  const running = () => {
    if (!nodes.running) throw new Error('the nodes do not run yet');
    return nodes.running;
  };
  const api = await started({
    podLogs: {
      read: (...asked) => running().podLogs.read(...asked),
      follow: (...asked) => running().podLogs.follow(...asked),
    },
    podProcesses: {
      exec: (...asked) => running().podProcesses.exec(...asked),
      attach: (...asked) => running().podProcesses.attach(...asked),
    },
  });
  nodes.running = startNodes(api.store, { ...clusterOptions, mode: 'simulated', exec });
  const body = configMap('simulated-nodes', { ...defaultNodes(clusterOptions.names), ...(pods !== '' && { pods }) });
  await api.send('POST', `${inSystem}/configmaps`, { body });
  return {
    ...api,
    async runPod(name, spec = {}) {
      const containers = [{ name: 'web', image: 'web:1' }];
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers, ...spec } };
      const { code, body: refusal } = await api.send('POST', `${inSystem}/pods`, { body: pod });
      if (code !== 201) throw new Error(JSON.stringify(refusal));
      const phase = async () => textAt((await api.send('GET', `${inSystem}/pods/${name}`)).body, 'status', 'phase');
      await eventually(async () => (await phase()) === 'Running', `pod ${name} runs`);
    },
    async end() {
      await nodes.running?.stop();
      await api.end();
    },
  };
}
