import { createHash } from 'node:crypto';
import { same } from '../api/json.ts';
import { podSpec } from '../api/kinds/rules/podDefaults.ts';
import { safeEncoded } from '../api/generatedName.ts';
import { controlledBy } from './adopt.ts';
import { byBirth, fence, mark, wantedOf } from './deploymentSize.ts';
import type { Deployment, PodTemplate, ReplicaSet } from './shapes.ts';

const hashLabel = 'pod-template-hash';
/** Annotations that are the Deployment's alone. */
const own = ['kubectl.kubernetes.io/last-applied-configuration', mark.revision, mark.history, mark.desired, mark.max];

/** The ReplicaSet of the template of a Deployment, and those of earlier templates. */
export function sortedSets(deployment: Deployment, sets: readonly ReplicaSet[]) {
  const wanted = unhashed(deployment.spec?.template);
  const newest = byBirth(sets).find(({ spec }) => same(unhashed(spec?.template), wanted)) ?? null;
  return { newest, old: sets.filter((set) => set !== newest) };
}

function unhashed(template: PodTemplate = {}): object {
  const { [hashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  const { labels: __, ...metadata } = template.metadata ?? {};
  // Defaults that the API came to know since one of the two was stored are no difference.
  return { spec: podSpec({ ...template.spec }), annotations: metadata.annotations ?? {}, labels };
}

/** The order of the templates: higher is later. */
export const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[mark.revision] ?? 0) || 0;

/** A word for a template: the same for the same template. */
function hashOf(template: PodTemplate | undefined, collisions: number): string {
  const digest = createHash('sha256').update(canonical(template)).update(`/${collisions}`).digest();
  return safeEncoded(String(digest.readUInt32BE(0)));
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? '';

/** The ReplicaSet that a template of a Deployment calls for. */
export function newSet(deployment: Deployment, replicas: number, revision: number) {
  const { template, selector, minReadySeconds } = deployment.spec ?? {};
  const hash = hashOf(template, deployment.status?.collisionCount ?? 0);
  const labels = { ...template?.metadata?.labels, [hashLabel]: hash };
  const { namespace, name } = deployment.metadata;
  return {
    name: `${name}-${hash}`,
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace !== undefined && { namespace }),
      labels,
      annotations: { ...inherited(deployment), ...sizeMarks(deployment), [mark.revision]: String(revision) },
      ownerReferences: [controlledBy(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds !== undefined && minReadySeconds > 0 && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template?.metadata, labels } },
    },
    status: { replicas: 0 },
  };
}

const inherited = ({ metadata }: Deployment) =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !own.includes(name)));

/** The annotations of a ReplicaSet about the size of its Deployment. */
export const sizeMarks = (deployment: Deployment) => ({
  [mark.desired]: String(wantedOf(deployment)),
  [mark.max]: String(wantedOf(deployment) + fence(deployment).surge),
});

/** The newest ReplicaSet with the revision and the annotations it should carry. */
export function revised(set: ReplicaSet, deployment: Deployment, revision: number): ReplicaSet {
  const { annotations = {} } = set.metadata;
  const before = annotations[mark.revision];
  const moves = before !== undefined && Number(before) < revision;
  const history = annotations[mark.history];
  const past = [...(history ? history.split(',') : []), ...(before === undefined ? [] : [before])].join(',');
  const { minReadySeconds = 0 } = deployment.spec ?? {};
  return {
    ...set,
    metadata: {
      ...set.metadata,
      annotations: {
        ...annotations,
        ...inherited(deployment),
        [mark.revision]: before !== undefined && !moves ? before : String(revision),
        ...(moves && { [mark.history]: past }),
      },
    },
    spec: (set.spec?.minReadySeconds ?? 0) === minReadySeconds ? set.spec : { ...set.spec, minReadySeconds },
  } as ReplicaSet;
}

/** The ReplicaSets without pods that are more than the history keeps, oldest revision first. */
export function beyondHistory({ spec }: Deployment, old: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const kept = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const surplus = Math.max(0, kept.length - (spec?.revisionHistoryLimit ?? 10));
  return [...kept]
    .sort((a, b) => revisionOf(a) - revisionOf(b))
    .slice(0, surplus)
    .filter(
      ({ spec: wanted, status, metadata }) =>
        (wanted?.replicas ?? 1) === 0 &&
        (status?.replicas ?? 0) === 0 &&
        (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0),
    );
}
