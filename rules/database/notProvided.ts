import type { KubeObject } from '../../crds/kind.ts';
import { key } from '../../crds/names.ts';

/** On the pods of a server that runs without its operator: what the operator would do, and nobody does, in words. */
export const notProvidedMark = key('not-acted');

/** What is not done for a server, according to its pods; empty where nothing is left out. */
export const notProvidedBy = (pods: readonly KubeObject[]): string =>
  pods.map(({ metadata }) => metadata.annotations?.[notProvidedMark] ?? '').find((words) => words !== '') ?? '';
