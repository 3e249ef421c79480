import type { CoreNode, NodeSpec } from '../../crds/coreNode.ts';
import { key, label } from '../../crds/names.ts';
import { tagLabel } from '../placement.ts';
import type { ClusterNode } from '../capacity.ts';

/** Records which labels and reservation Core set on a node, so that only these are removed. */
/** The annotation with what Core set on a node. */
export const given = key('given');
const reservedTaint = key('reserved');

interface PlaceInput {
  readonly labels: Readonly<Record<string, string>>;
  readonly reserved: string;
}

/** The desired labels and reservation of a server's node. */
const placeOf = ({ region, tags = [], reserved = '' }: NodeSpec): PlaceInput => ({
  labels: {
    ...(region === undefined || region === '' ? {} : { [label.region]: region }),
    ...Object.fromEntries(tags.map((tag) => [tagLabel(tag), 'true'])),
  },
  reserved,
});

const nowhere: PlaceInput = { labels: {}, reserved: '' };

function givenTo({ metadata }: ClusterNode): PlaceInput {
  try {
    return { ...nowhere, ...(JSON.parse(metadata.annotations?.[given] ?? '{}') as Partial<PlaceInput>) };
  } catch {
    return nowhere;
  }
}

/** Whether Core has set anything on a node. */
export const isGiven = ({ metadata }: ClusterNode): boolean => metadata.annotations?.[given] !== undefined;

/** The patch that sets the labels and the reservation of a node; null when they are set. */
export const placePatch = (node: ClusterNode, { spec }: CoreNode): object | null => patchTo(node, placeOf(spec));

/** The patch that removes what Core set on a node; null for nothing. */
export const releasePatch = (node: ClusterNode): object | null => patchTo(node, nowhere);

function patchTo(node: ClusterNode, wanted: PlaceInput): object | null {
  const before = givenTo(node);
  const { labels = {}, annotations = {} } = node.metadata;
  const gone = Object.keys(before.labels).filter((name) => wanted.labels[name] === undefined && name in labels);
  const lacking = Object.entries(wanted.labels).filter(([name, value]) => labels[name] !== value);
  const taints = taintsTo(node, before.reserved, wanted.reserved);
  const isNothing = wanted.reserved === '' && Object.keys(wanted.labels).length === 0;
  const note = isNothing ? null : JSON.stringify(wanted);
  if (gone.length + lacking.length === 0 && taints === null && note === (annotations[given] ?? null)) return null;
  return {
    metadata: {
      labels: { ...Object.fromEntries(gone.map((name) => [name, null])), ...Object.fromEntries(lacking) },
      annotations: { [given]: note },
    },
    ...(taints === null ? {} : { spec: { taints } }),
  };
}

/** The taints of a node with the desired reservation; null when current. Foreign taints stay. */
function taintsTo({ spec }: ClusterNode, before: string, wanted: string) {
  const taints = spec?.taints ?? [];
  const others = taints.filter(({ key: name, effect }) => name !== reservedTaint || effect !== 'NoSchedule');
  const now = taints.find((taint) => !others.includes(taint))?.value ?? '';
  if (now === wanted || (wanted === '' && now !== before)) return null;
  return wanted === '' ? others : [...others, { key: reservedTaint, value: wanted, effect: 'NoSchedule' }];
}

/** The node of a server: the one of its name, else the one at its address. */
export const nodeFor = ({ metadata, spec }: CoreNode, nodes: readonly ClusterNode[]): ClusterNode | undefined =>
  nodes.find((node) => node.metadata.name === metadata.name) ??
  nodes.find(({ status }) => (status?.addresses ?? []).some(({ address }) => address === spec.address));
