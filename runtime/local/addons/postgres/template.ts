import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../../crds/kind.ts';
import type { Server } from './server.ts';

/** The annotation of a pod with its original spec. */
export const recordedSpec = 'cnpg.io/podSpec';

/** The simulated fields of a server's pod template. */
export interface Template {
  readonly containers: readonly [{ readonly name: 'postgres'; readonly image: string; readonly resources: object }];
  readonly nodeSelector?: object;
  readonly tolerations?: readonly object[];
}

/** The pod template of a server; keeps empty maps and lists. */
export const templateOf = ({ spec = {} }: Server, image: string): Template => {
  const { nodeSelector, tolerations } = spec.affinity ?? {};
  return {
    containers: [{ name: 'postgres', image, resources: spec.resources ?? {} }],
    ...(nodeSelector && { nodeSelector }),
    ...(tolerations && { tolerations }),
  };
};

const isEmpty = (value: object | undefined): boolean => value === undefined || Object.keys(value).length === 0;

/** A template as the operator records it on a pod: Go writes no empty map and no empty list. */
export const recorded = ({ containers, nodeSelector, tolerations }: Template): string =>
  JSON.stringify({
    containers,
    ...(isEmpty(nodeSelector) ? {} : { nodeSelector }),
    ...(isEmpty(tolerations) ? {} : { tolerations }),
  });

/**
 * Why a pod is replaced; null when it is current. The recorded spec is compared exactly with the desired one, so that
 * an empty map or list, which is never recorded, always differs.
 */
export function differenceOf({ metadata }: KubeObject, wanted: Template): string | null {
  const text = metadata.annotations?.[recordedSpec];
  if (text === undefined) return null;
  const { containers, nodeSelector, tolerations } = JSON.parse(text) as Template;
  const [before] = containers;
  const [now] = wanted.containers;
  if (before.image !== now.image) return `the instance is using a different image: ${before.image} -> ${now.image}`;
  const differs = 'original and target PodSpec differ in';
  if (!isDeepStrictEqual(before.resources, now.resources))
    return `${differs} containers: container postgres differs in resources`;
  if (!isDeepStrictEqual(nodeSelector, wanted.nodeSelector)) return `${differs} node-selector`;
  return isDeepStrictEqual(tolerations, wanted.tolerations) ? null : `${differs} tolerations`;
}
