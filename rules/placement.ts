import { annotation, key, label } from '../crds/names.ts';

/** Where the workloads of a project may run; an empty `region` means any node. */
export interface Placement {
  readonly region: string;
  readonly tags: readonly string[];
}

/** The label of the nodes that carry a tag. */
export const tagLabel = (tag: string) => key(`tag-${tag}`);

/** The tag that a label stands for; null for any other label. */
export const tagIn = (name: string): string | null =>
  name.startsWith(tagLabel('')) ? name.slice(tagLabel('').length) : null;

/** Node selector and tolerations that keep a pod on nodes of the region that carry every tag (001 CoreProject). */
export const podPlacement = ({ region, tags }: Placement) => ({
  nodeSelector: {
    ...(region === '' ? {} : { [label.region]: region }),
    ...Object.fromEntries(tags.map((tag) => [tagLabel(tag), 'true'])),
  },
  tolerations: tags.map((tag) => ({
    key: key('reserved'),
    operator: 'Equal',
    value: tag,
    effect: 'NoSchedule',
  })),
});

/** A placement as text: the region and every tag that a node needs. */
export function placeText({ region, tags }: Placement): string {
  const where = region === '' ? 'the cluster' : `the ${region} region`;
  return tags.length === 0 ? where : `${where} with the tags ${tags.join(', ')}`;
}
/**
 * Annotations of the pods of a project that requires these tags: their logs must not leave its nodes for the log store
 * that all projects share (001 Required tags).
 */
export const podAnnotations = (requiredTags: readonly string[]): Readonly<Record<string, string>> =>
  requiredTags.length === 0 ? {} : { [annotation.logShipping]: 'off' };
