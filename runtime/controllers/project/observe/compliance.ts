import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { label } from '../../../../crds/names.ts';
import { nodePlacementOf, placementOf } from '../../../../rules/database/nodePlacement.ts';
import type { ComplianceSeen, PlacedDatabase, Resource } from '../../../../rules/project/compliance.ts';
import { isOver, type PlacedPod } from '../../../../rules/usedCapacity.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { byProject } from '../../../services/cluster/indexes.ts';
import { builds, databases } from '../../../services/cluster/kinds.ts';
import { jobPods } from '../../../services/cluster/resources.ts';
import { clusterNodes, workloadPods } from '../../capacity.ts';
import { cachedOf, environmentContents, heldBy } from './contents.ts';
import { placementOf as projectPlacementOf } from '../../placement.ts';

/** The tags of a database's placement; without a recorded placement its data may be anywhere. */
const placedTags = (database: CoreDatabase): readonly string[] => {
  const placement = nodePlacementOf(database);
  return placement === null ? [] : placementOf(placement).tags;
};

/** Whether objects of a database may exist in the cluster. */
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

/** Whether tags do not apply: an external or managed database, or a bucket in an account of the project. */
const isOutside = ({ spec: { placement, connectionRef } }: Placed): boolean =>
  placement === 'External' || (placement === undefined && connectionRef !== undefined);

interface Runner {
  readonly kind: string;
  readonly name: string;
  readonly pods: readonly PlacedPod[];
}

/** The pods of a project, by owner. */
function runnersOf({ metadata: { name } }: CoreProject, reader: CacheReader): readonly Runner[] {
  const all: readonly PlacedPod[] = [
    ...reader.indexed(workloadPods, label.project, name),
    ...(reader.indexed(jobPods, label.project, name) as readonly PlacedPod[]),
  ];
  const runners = new Map<string, Runner>();
  for (const pod of all.filter((one) => !isOver(one))) {
    const { labels } = pod.metadata;
    const of = { kind: labels?.[label.kind] ?? '', name: labels?.[label.name] ?? '' };
    const key = `${of.kind} ${of.name}`;
    runners.set(key, { ...of, pods: [...(runners.get(key)?.pods ?? []), pod] });
  }
  return [...runners.values()];
}

const nodeNames = (pods: readonly PlacedPod[]): readonly string[] =>
  [...new Set(pods.map(({ spec }) => spec?.nodeName ?? ''))].filter((node) => node !== '').toSorted();

/** All running workloads and builds of a project. */
export function runningOf(project: CoreProject, reader: CacheReader): readonly Resource[] {
  const runners = runnersOf(project, reader);
  const podsOf = (kind: string, name: string) =>
    runners.find((one) => one.kind === kind && one.name === name)?.pods ?? [];
  const placed = new Map(provisionedOf(project, reader).map((one) => [one.metadata.name, placedTags(one)]));
  const live = environmentContents.flatMap((kind) =>
    cachedOf(kind, reader, heldBy(project))
      .map((object): Placed => object)
      .filter((object) => !isOutside(object))
      .map(({ metadata: { name }, spec }): Resource => ({
        kind: kind.resource.kind,
        name,
        environment: spec.environment ?? '',
        nodes: nodeNames(podsOf(kind.resource.kind, name)),
        placed: kind.resource.kind === databases.kind ? (placed.get(name) ?? null) : null,
      })),
  );
  const building = runners
    .filter(({ kind }) => kind === builds.kind)
    .map(({ kind, name, pods }): Resource => ({
      kind,
      name,
      environment: pods[0]?.metadata.labels?.[label.environment] ?? '',
      nodes: nodeNames(pods),
      placed: null,
    }));
  return [...live, ...building].toSorted(byKindAndName);
}

const byKindAndName = (a: Resource, b: Resource): number =>
  a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind < b.kind ? -1 : 1;
