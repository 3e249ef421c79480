import type { Change } from '../store.ts';
import type { Names } from '../surroundings.ts';
import { createContainerRuns } from './containerRuns.ts';
import { simulatedNodes, syncNodes } from './fleet.ts';
import type { Kubelet, KubeletWorld } from './kubelet.ts';
import { createPodLogs } from './podLogs.ts';
import { type ExecMode, createPodProcesses } from './podProcesses.ts';
import { machineNodes, retire } from './retired.ts';
import { bucket, keyOf } from './shapes.ts';
import { simulatedExec } from './shell/simulated.ts';
import { createSimulatedPods } from './simulatedPods.ts';
import { readSimulation, simulationPlace, unread } from './simulation.ts';

interface Options {
  readonly exec: ExecMode;
  readonly names: Names;
}

/** Acts pods out by the rules of the ConfigMap `simulated-nodes`, which lists the Nodes too. */
export function createSimulatedKubelet(world: KubeletWorld, { exec, names }: Options): Kubelet {
  const { store, clock, marks, events, log } = world;
  const configMapPlace = simulationPlace(names.systemNamespace);
  let simulation = unread;
  const runs = createContainerRuns({
    store,
    clock,
    exec: simulatedExec(store, clock.now),
    log,
    wrote: (key) => logs.changed(key),
  });
  const logs = createPodLogs({ store, clock, mark: marks.log, linesOfRun: runs.linesOf });
  const processes = createPodProcesses({ store, clock, logs: logs.podLogs, mode: exec });
  const pods = createSimulatedPods({ ...world, runs, simulation: () => simulation });

  function readConfigMap() {
    const configMap = store.get(configMapPlace);
    const read = readSimulation(configMap, simulation);
    simulation = read.simulation;
    if (configMap)
      for (const message of read.faults)
        events.record('simulated-nodes', configMap, { type: 'Warning', reason: 'InvalidRules', message });
    world.askNodes();
  }

  function heard({ type, bucket: where, object }: Change) {
    if (where === bucket.configMaps && keyOf(object) === `${configMapPlace.namespace}/${configMapPlace.name}`)
      readConfigMap();
    if (where !== bucket.pods) return;
    if (type === 'DELETED') runs.drop(object.metadata.uid);
    logs.changed(keyOf(object));
  }

  readConfigMap();
  return {
    ...pods,
    nodes: () => simulatedNodes(store, marks),
    syncNodes: async () => {
      for (const left of machineNodes(store, marks)) await retire(store, left);
      if (simulation.nodes !== null) await syncNodes({ store, marks }, simulation.nodes, clock.now());
    },
    heard,
    backoffSeconds: () => simulation.backoffSeconds,
    podLogs: logs.podLogs,
    usage: null,
    podProcesses: processes,
    async stop() {
      processes.stop();
      logs.stop();
      await runs.stop();
    },
  };
}
