import type { CoreObjectStore, ObjectStoreSpec } from '../../../crds/coreObjectStore.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { systemNamespace } from '../../../crds/names.ts';
import type { DraftDeployState } from '../../../machines/names.ts';
import type { StorageState } from '../../../rules/backupStorage/state.ts';
import { isReady } from '../../../rules/condition.ts';
import { nodePlacementOf, placementOf } from '../../../rules/database/nodePlacement.ts';
import type { ObjectStoreSeen } from '../../../rules/objectStore/facts.ts';
import { bucketOf } from '../../../rules/objectStore/names.ts';
import { unsupportedOf } from '../../../rules/objectStore/refusals.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { projects } from '../../services/cluster/kinds.ts';
import { isInSync, owned, type Owned } from '../../owned/owned.ts';
import { connectionRefusal } from '../cloudAccess/account.ts';
import { currentGrant } from '../cloudAccess/grant.ts';
import { gateOf, grantRequest, runningOf, serverOf } from './observe/spec.ts';

/** What was found out about an object store since this process began to lead. */
export interface BucketFindings {
  readonly bucket: StorageState | null;
  readonly failure: string | null;
  /** Whether nothing was left of it when it was removed. */
  readonly gone: boolean;
}

/** What the controller knows of its objects besides the caches, by the uid of each. */
export interface Memory {
  readonly ownedResources: Owned<CoreObjectStore>;
  readonly findings: Map<string, BucketFindings>;
}

/** What judging an object store reads. */
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
      isBucket && spec.connectionRef ? connectionRefusal(spec.project ?? '', spec.connectionRef.name, reader) : null,
    server: serverSeen(spec, reader),
    lackingTags: lackingTags(spec, reader),
    bucket: isBucket ? (bucket ?? priorState(store)) : null,
    failure,
    // What the environment gets is known only once the key is.
    isCurrent: (!isBucket || hasKey(store, spec, reader)) && isInSync(ownedResources.diff(store, reader)),
    runs: isBucket || isRunning(store, reader),
  };
}

/** Contents do not follow, and nothing would remove the bucket that was made. */
function movedFrom(store: CoreObjectStore, spec: ObjectStoreSpec): string {
  const { bucket = '' } = store.status ?? {};
  return spec.mode === 'Bucket' && bucket === bucketOf(store, spec) ? '' : bucket;
}

function hasKey(store: CoreObjectStore, spec: ObjectStoreSpec, reader: CacheReader): boolean {
  const asked = grantRequest(store, spec, reader);
  return !('why' in asked) && currentGrant(asked, reader) !== null;
}

/** A bucket that worked before this process began works until it is found otherwise. */
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

/** A bucket on a server is where the server is: its nodes need every tag of the project (001 Required tags). */
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
