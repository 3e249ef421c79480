import type { NodeSpec } from '../../crds/coreNode.ts';
import { carriesTag, type ClusterNode, isInRegion } from '../capacity.ts';
import type { Placement } from '../placement.ts';

/** A database whose data stay on nodes with these tags, because its project requires them. */
export interface TaggedDatabase extends Placement {
  readonly name: string;
  readonly project: string;
}

/** The inputs for checking a change of tags. */
export interface TagsSeen {
  /** The node that loses or gains tags; undefined while the server has none. */
  readonly node: ClusterNode | undefined;
  readonly nodes: readonly ClusterNode[];
  readonly databases: readonly TaggedDatabase[];
}

/** The invalid field of a list of tags; null when all are valid. */
export function tagsInvalid({ tags = [], reserved }: Pick<NodeSpec, 'tags' | 'reserved'>): string | null {
  if (new Set(tags).size < tags.length) return 'no tag may be in the list twice';
  return reserved === undefined || tags.includes(reserved) ? null : 'reserved must be one of the tags';
}

/** Why a database would be left without a node if this one had these tags alone; null when none would. */
export function tagsRefused(tags: readonly string[], { node, nodes, databases }: TagsSeen): string | null {
  if (node === undefined) return null;
  const others = nodes.filter(({ metadata }) => metadata.name !== node.metadata.name);
  for (const { name, project, region, tags: needed } of databases) {
    const lost = needed.find((tag) => carriesTag(node, tag) && !tags.includes(tag));
    const fits = (one: ClusterNode) => isInRegion(one, region) && needed.every((tag) => carriesTag(one, tag));
    if (lost !== undefined && fits(node) && !others.some(fits))
      return `project "${project}" requires the tag "${lost}", and without it here its database "${name}" has no node`;
  }
  return null;
}
