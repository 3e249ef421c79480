import { carriesTag, type ClusterNode, isInRegion, reservedFor } from '../capacity.ts';

/** A database that was provisioned in the cluster, and the tags that the nodes of its data carry. */
export interface PlacedDatabase {
  readonly name: string;
  readonly tags: readonly string[];
}

/** The objects that the checks of required tags read. */
export interface ComplianceSeen {
  /** The region that the project runs in; empty for any. */
  readonly region: string;
  /** The tags that are, or are to be, required. */
  readonly tags: readonly string[];
  /** The tags that databases are checked for. */
  readonly added: readonly string[];
  readonly nodes: readonly ClusterNode[];
  readonly databases: readonly PlacedDatabase[];
}

export const complianceChecks = ['tagsExist', 'nodesReserved', 'databasesPlaced'] as const;

/** One check of required tags; the message is empty when it holds. */
export interface Checked {
  readonly check: (typeof complianceChecks)[number];
  readonly ok: boolean;
  readonly message: string;
}

const inRegion = (region: string): string => (region === '' ? '' : ` in the region "${region}"`);
const quoted = (tags: readonly string[]): string => tags.map((tag) => `"${tag}"`).join(', ');

/** The first violation of a check; null when it holds. */
type Check = (seen: ComplianceSeen) => string | null;

const tagsExist: Check = ({ region, tags, nodes }) => {
  const here = nodes.filter((node) => isInRegion(node, region));
  const missing = tags.find((tag) => !here.some((node) => carriesTag(node, tag)));
  return missing === undefined ? null : `no node${inRegion(region)} carries the tag "${missing}"`;
};

/**
 * A node has one reservation. With several required tags, a node reserved for one of them only runs workloads that
 * require that tag.
 */
const nodesReserved: Check = ({ region, tags, nodes }) => {
  for (const tag of tags)
    for (const node of nodes.filter((one) => isInRegion(one, region) && carriesTag(one, tag)))
      if (!tags.includes(reservedFor(node)))
        return `the node "${node.metadata.name}"${inRegion(region)} carries the tag "${tag}" and is not reserved for it`;
  return null;
};

const databasesPlaced: Check = ({ region, added, databases }) => {
  for (const { name, tags } of databases) {
    const missing = added.filter((tag) => !tags.includes(tag));
    if (missing.length > 0)
      return `the database "${name}"${inRegion(region)} was not placed on nodes with the tag ${quoted(missing)}`;
  }
  return null;
};

const checks = { tagsExist, nodesReserved, databasesPlaced } as const satisfies Record<Checked['check'], Check>;

/** The checks of required tags, in the order of the documents (001 Required tags). */
export const complianceChecked = (seen: ComplianceSeen): readonly Checked[] =>
  complianceChecks.map((check) => {
    const wrong = checks[check](seen);
    return { check, ok: wrong === null, message: wrong ?? '' };
  });

/** The first failed check, as text; null when all hold. */
export const complianceRefusal = (seen: ComplianceSeen): string | null =>
  complianceChecked(seen).find(({ ok }) => !ok)?.message ?? null;

/** A resource of a project, and its nodes. */
export interface Resource {
  readonly kind: string;
  readonly name: string;
  readonly environment: string;
  readonly nodes: readonly string[];
  /** The tags that its data were placed with; null when none are recorded. */
  readonly placed: readonly string[] | null;
}

/** Whether a resource of a project complies, and why not. */
export interface ResourceChecked extends Pick<Resource, 'kind' | 'name' | 'environment'> {
  readonly node: string;
  readonly compliant: boolean;
  readonly why: string;
}

type Required = Pick<ComplianceSeen, 'region' | 'tags' | 'nodes'>;

/** A row for each node that a resource runs on; one without a node when it does not run. */
export const resourcesChecked = (resources: readonly Resource[], required: Required): readonly ResourceChecked[] =>
  resources.flatMap(({ nodes, placed, ...named }) =>
    (nodes.length === 0 ? [''] : nodes).map((node) => {
      const why = node === '' ? wrongPlacement(placed, required) : wrongNode(node, required);
      return { ...named, node, compliant: why === '', why };
    }),
  );

function wrongPlacement(placed: Resource['placed'], { tags }: Required): string {
  const missing = placed === null ? [] : tags.filter((tag) => !placed.includes(tag));
  return missing.length === 0 ? '' : `its data were not placed on nodes with the tag ${quoted(missing)}`;
}

function wrongNode(name: string, { region, tags, nodes }: Required): string {
  const node = nodes.find(({ metadata }) => metadata.name === name);
  if (node === undefined) return 'nothing is known of the node';
  if (!isInRegion(node, region)) return `the node is not${inRegion(region)}`;
  const missing = tags.filter((tag) => !carriesTag(node, tag));
  return missing.length === 0 ? '' : `the node does not carry the tag ${quoted(missing)}`;
}
