import { key, label } from '../crds/names.ts';

/** Where the workloads of a project may run; an empty `region` means any node. */
export interface Placement {
  readonly region: string;
  readonly tags: readonly string[];
}

/** Node selector and tolerations that keep a pod on nodes of the region that carry every tag (001 CoreProject). */
export const podPlacement = ({ region, tags }: Placement) => ({
  nodeSelector: {
    ...(region === '' ? {} : { [label.region]: region }),
    ...Object.fromEntries(tags.map((tag) => [key(`tag-${tag}`), 'true'])),
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
