import type { Place, Stored } from '../store.ts';
import type { Key, NodeEntry, Rule, ValueOf } from './schema.ts';
import { bucket } from './shapes.ts';
import { readYaml } from './yamlValue.ts';

/** What is simulated; `nodes` null: nobody knows yet, so the Nodes stay as they are. */
export interface Simulation {
  readonly nodes: readonly NodeEntry[] | null;
  readonly rules: readonly Rule[];
  readonly backoffSeconds: number;
}

/** The ConfigMap that declares the simulated nodes. */
export const simulationPlace = (namespace: string): Place => ({
  bucket: bucket.configMaps,
  namespace,
  name: 'simulated-nodes',
});

/** Before the ConfigMap was read. */
export const unread: Simulation = { nodes: null, rules: [], backoffSeconds: 1 };

/** Reads the ConfigMap. A key with a fault keeps its last good value. */
export function readSimulation(
  configMap: Stored | undefined,
  last: Simulation,
): { readonly simulation: Simulation; readonly faults: readonly string[] } {
  const data: unknown = configMap?.['data'];
  const faults: string[] = [];
  function valueOf<K extends Key, T>(key: K, old: T): ValueOf<K> | T {
    const read = readYaml(key, textOf(data, key));
    if (read.is === 'value') return read.value;
    faults.push(read.says);
    return old;
  }
  const nodes = valueOf('nodes', last.nodes);
  const twice = nodes?.find(({ name }, index) => nodes.findIndex((other) => other.name === name) < index);
  if (twice) faults.push(`nodes: the name ${twice.name} stands there twice`);
  const simulation = {
    nodes: twice ? last.nodes : nodes,
    rules: valueOf('pods', last.rules),
    backoffSeconds: valueOf('backoffSeconds', last.backoffSeconds),
  };
  return { simulation, faults };
}

function textOf(data: unknown, key: Key): string {
  const text: unknown = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[key] : undefined;
  return typeof text === 'string' ? text : '';
}
