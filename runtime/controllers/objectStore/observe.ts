import type { CoreObjectStore, ObjectStoreSpec } from '../../../crds/coreObjectStore.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { systemNamespace } from '../../../crds/names.ts';
import type { DraftDeployState } from '../../../machines/names.ts';
import type { StorageState } from '../../../rules/backupStorage/state.ts';
import type { FailedAction } from '../../../rules/cause/failedAction.ts';
import { isReady } from '../../../rules/condition.ts';
import { nodePlacementOf, placementOf } from '../../../rules/database/nodePlacement.ts';
import type { ObjectStoreSeen } from '../../../rules/objectStore/facts.ts';
import { bucketOf } from '../../../rules/objectStore/names.ts';
import { unsupportedOf } from '../../../rules/objectStore/refusals.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { projects } from '../../services/cluster/kinds.ts';
import { isInSync, owned, type Owned } from '../../owned/owned.ts';
import { connectionRefused } from '../cloudAccess/account.ts';
import { currentGrant } from '../cloudAccess/grant.ts';
import { gateOf, grantRequest, runningOf, serverOf } from './observe/spec.ts';

/** What this leader has found out about an object store. */
export interface BucketFindings {
  readonly bucket: StorageState | null;
  readonly failure: FailedAction | null;
  /** Whether everything was deleted. */
  readonly gone: boolean;
}

/** The memory of the controller about its objects, by uid. */
export interface Memory {
  readonly ownedResources: Owned<CoreObjectStore>;
  readonly findings: Map<string, BucketFindings>;
}

/** The input of an observation of an object store. */
export interface ObserveInput extends Memory {
  readonly reader: CacheReader;
}

export const uidOf = ({ metadata }: CoreObjectStore): string => metadata.uid ?? metadata.name;

export const noFindings: BucketFindings = { bucket: null, failure: null, gone: false };

export function observeObjectStore(
  store: CoreObjectStore,
  { reader, ownedResources, findings }: ObserveInput,
  gate: DraftDeployState = gateOf(store),
): ObjectStoreSeen {
  const spec = runningOf(store) ?? store.spec;
  const { bucket, failure } = findings.get(uidOf(store)) ?? noFindings;
  const isBucket = spec.mode === 'Bucket';
  return {
    gate,
    mode: spec.mode,
    unsupported: unsupportedOf(spec),
    movedFrom: movedFrom(store, spec),
    environment: spec.environment ?? '',
    project: projectSeen(spec, reader),
    cloud:
      isBucket && spec.connectionRef ? connectionRefused(spec.project ?? '', spec.connectionRef.name, reader) : null,
    server: serverSeen(spec, reader),
    lackingTags: lackingTags(spec, reader),
    bucket: isBucket ? (bucket ?? priorState(store)) : null,
    failure,
    // The Secret of the environment is known only with the key.
    isCurrent: (!isBucket || hasKey(store, spec, reader)) && isInSync(ownedResources.diff(store, reader)),
    runs: isBucket || isRunning(store, reader),
  };
}

/** The bucket from which the spec moved away: contents are not moved, and the old bucket would be left. */
function movedFrom(store: CoreObjectStore, spec: ObjectStoreSpec): string {
  const { bucket = '' } = store.status ?? {};
  return spec.mode === 'Bucket' && bucket === bucketOf(store, spec) ? '' : bucket;
}

function hasKey(store: CoreObjectStore, spec: ObjectStoreSpec, reader: CacheReader): boolean {
  const asked = grantRequest(store, spec, reader);
  return !('why' in asked) && currentGrant(asked, reader) !== null;
}

/** The state found by an earlier process, until this one finds another. */
const priorState = (store: CoreObjectStore): StorageState | null =>
  isReady(store) ? { is: 'working', region: '', secret: store.status?.credentialSecret ?? '' } : null;

function projectSeen({ mode, project: name = '', environment = '' }: ObjectStoreSpec, reader: CacheReader) {
  if (mode === 'Server') return { name, is: 'none' } as const;
  const found = reader.get(projects, name);
  if (!found) return { name, is: 'absent' } as const;
  if (!isReady(found)) return { name, is: 'notReady' } as const;
  return { name, is: found.spec.environments.includes(environment) ? 'fine' : 'withoutEnvironment' } as const;
}

function serverSeen(spec: ObjectStoreSpec, reader: CacheReader): ObjectStoreSeen['server'] {
  const name = spec.serverRef?.name ?? '';
  if (name === '') return { name, is: 'none' };
  const found = serverOf(spec, reader);
  if (!found) return { name, is: 'absent' };
  if (found.spec.mode !== 'Server') return { name, is: 'notServer' };
  return { name, is: isReady(found) ? 'fine' : 'notReady' };
}

/** The tags that the server of a bucket lacks: its nodes need every tag of the project (001 Required tags). */
function lackingTags(spec: ObjectStoreSpec, reader: CacheReader): readonly string[] {
  const server = serverOf(spec, reader);
  if (!server) return [];
  const { requiredTags = [] } = reader.get(projects, spec.project ?? '')?.spec ?? {};
  const placed = nodePlacementOf(server);
  const tags = placed ? placementOf(placed).tags : [];
  return requiredTags.filter((tag) => !tags.includes(tag));
}

interface Deployment extends KubeObject {
  readonly status?: { readonly availableReplicas?: number };
}

const isRunning = ({ metadata }: CoreObjectStore, reader: CacheReader): boolean => {
  const found: Deployment | undefined = reader.get(owned.deployments, metadata.name, systemNamespace);
  return (found?.status?.availableReplicas ?? 0) > 0;
};
