import type { KubeObject } from '../../crds/kind.ts';
import { key } from '../../crds/names.ts';

/** On the pods of a server without its operator: what is not provided, as text. */
export const notProvidedMark = key('not-acted');

/** What is not provided for a server, according to its pods; empty for none. */
export const notProvidedBy = (pods: readonly KubeObject[]): string =>
  pods.map(({ metadata }) => metadata.annotations?.[notProvidedMark] ?? '').find((words) => words !== '') ?? '';
