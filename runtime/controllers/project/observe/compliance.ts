import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { label } from '../../../../crds/names.ts';
import { nodePlacementOf, placementOf } from '../../../../rules/database/nodePlacement.ts';
import type { ComplianceSeen, PlacedDatabase, Resource } from '../../../../rules/project/compliance.ts';
import { isOver, type PlacedPod } from '../../../../rules/takenRoom.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { byProject } from '../../../services/cluster/indexes.ts';
import { databases } from '../../../services/cluster/kinds.ts';
import { jobPods } from '../../../services/cluster/resources.ts';
import { clusterNodes, workloadPods } from '../../capacity.ts';
import { cachedOf, environmentContents, heldBy } from './contents.ts';
import { placementOf as projectPlacementOf } from '../../placement.ts';

/** The tags that the data of a database were placed with; those of one from before placements may be anywhere. */
const placedTags = (database: CoreDatabase): readonly string[] => {
  const placement = nodePlacementOf(database);
  return placement === null ? [] : placementOf(placement).tags;
};

/** Whether something of a database may stand in the cluster. */
const isProvisioned = (database: CoreDatabase): boolean =>
  database.spec.placement === 'InCluster' &&
  (nodePlacementOf(database) !== null || (database.status?.targetNamespace ?? '') !== '');

const provisionedOf = ({ metadata }: CoreProject, reader: CacheReader): readonly CoreDatabase[] =>
  reader.indexed(databases, byProject.name, metadata.name).filter(isProvisioned);

const placedDatabase = (database: CoreDatabase): PlacedDatabase => ({
  name: database.metadata.name,
  tags: placedTags(database),
});

/** The objects that the checks of these tags read, from the caches. */
export const complianceSeen = (project: CoreProject, tags: readonly string[], reader: CacheReader): ComplianceSeen => ({
  region: projectPlacementOf(project, reader).region,
  tags,
  added: tags.filter((tag) => !(project.spec.requiredTags ?? []).includes(tag)),
  nodes: reader.list(clusterNodes),
  databases: provisionedOf(project, reader).map(placedDatabase),
});

interface Placed extends KubeObject {
  readonly spec: {
    readonly environment?: string;
    readonly placement?: string;
    readonly connectionRef?: { readonly name?: string };
  };
}

/** Whether tags do not cover it: an external or managed database, or a bucket in an account of the project. */
const isOutside = ({ spec: { placement, connectionRef } }: Placed): boolean =>
  placement === 'External' || (placement === undefined && connectionRef !== undefined);

/** The nodes that run the pods of a project, by kind and name of what they belong to. */
function nodesOf({ metadata: { name } }: CoreProject, reader: CacheReader): ReadonlyMap<string, readonly PlacedPod[]> {
  const all: readonly PlacedPod[] = [
    ...reader.indexed(workloadPods, label.project, name),
    ...(reader.indexed(jobPods, label.project, name) as readonly PlacedPod[]),
  ];
  const found = new Map<string, readonly PlacedPod[]>();
  for (const pod of all.filter((one) => !isOver(one))) {
    const { labels } = pod.metadata;
    const of = `${labels?.[label.kind] ?? ''} ${labels?.[label.name] ?? ''}`;
    found.set(of, [...(found.get(of) ?? []), pod]);
  }
  return found;
}

const nodeNames = (pods: readonly PlacedPod[]): readonly string[] =>
  [...new Set(pods.map(({ spec }) => spec?.nodeName ?? ''))].filter((node) => node !== '').toSorted();

/** Everything of a project that runs in the cluster, and the builds that run now. */
export function runningOf(project: CoreProject, reader: CacheReader): readonly Resource[] {
  const pods = nodesOf(project, reader);
  const placed = new Map(provisionedOf(project, reader).map((one) => [one.metadata.name, placedTags(one)]));
  const live = environmentContents.flatMap((kind) =>
    cachedOf(kind, reader, heldBy(project))
      .map((object): Placed => object)
      .filter((object) => !isOutside(object))
      .map(({ metadata: { name }, spec }): Resource => ({
        kind: kind.resource.kind,
        name,
        environment: spec.environment ?? '',
        nodes: nodeNames(pods.get(`${kind.resource.kind} ${name}`) ?? []),
        placed: kind.resource.kind === databases.kind ? (placed.get(name) ?? null) : null,
      })),
  );
  const builds = [...pods]
    .filter(([of]) => of.startsWith('CoreBuild '))
    .map(([of, own]): Resource => ({
      kind: 'CoreBuild',
      name: of.slice('CoreBuild '.length),
      environment: own[0]?.metadata.labels?.[label.environment] ?? '',
      nodes: nodeNames(own),
      placed: null,
    }));
  return [...live, ...builds].toSorted(byKindAndName);
}

const byKindAndName = (a: Resource, b: Resource): number =>
  a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind < b.kind ? -1 : 1;
