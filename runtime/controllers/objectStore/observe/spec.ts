import type { CoreObjectStore, ObjectStoreSpec } from '../../../../crds/coreObjectStore.ts';
import { annotation } from '../../../../crds/names.ts';
import type { DraftDeployState } from '../../../../machines/names.ts';
import { accountOf, arnPartition } from '../../../../rules/cloud/account.ts';
import { bucketPolicy } from '../../../../rules/backupStorage/place.ts';
import { type NodePlacement, nodePlacementOf, nodePlacementText } from '../../../../rules/database/nodePlacement.ts';
import { runningSpec } from '../../../../rules/draftDeploy/running.ts';
import { gateStateOf } from '../../../../rules/draftDeploy/waits.ts';
import {
  bucketOf,
  keysSecretName,
  rootSecretName,
  serverAddresses,
  userOfStore,
} from '../../../../rules/objectStore/names.ts';
import { goesWith } from '../../../../rules/objectStore/objects.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { clusters, objectStores } from '../../../services/cluster/kinds.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import { secretText } from '../../../services/secretText.ts';
import { accountFor } from '../../cloudAccess/account.ts';
import type { GrantRequest } from '../../cloudAccess/grant.ts';

export const gateOf = (store: CoreObjectStore): DraftDeployState => gateStateOf('bucket', store);

/** The spec that runs; null for a draft, and when the deployed one is no longer known. */
export const runningOf = (store: CoreObjectStore): ObjectStoreSpec | null => runningSpec(gateOf(store), store);

/** The server of a bucket. */
export const serverOf = ({ serverRef }: ObjectStoreSpec, reader: CacheReader): CoreObjectStore | undefined =>
  serverRef === undefined ? undefined : reader.get(objectStores, serverRef.name);

/** The grant to request of the cloud or server for a bucket; the reason when neither can be used. */
export function grantRequest(
  store: CoreObjectStore,
  spec: ObjectStoreSpec,
  reader: CacheReader,
): GrantRequest | { readonly why: string } {
  const bucket = bucketOf(store, spec);
  const own = {
    bucket,
    user: userOfStore(store),
    secret: keysSecretName(store.metadata.name),
    project: spec.project ?? '',
    isGone: () => false,
    owner: goesWith(store),
  };
  if (spec.serverRef) {
    const addresses = serverAddresses(spec.serverRef.name);
    const root = reader.get(secrets, rootSecretName(spec.serverRef.name));
    const accessKeyId = secretText(root, 'ACCESS_KEY_ID');
    if (accessKeyId === '') return { why: `object store server "${spec.serverRef.name}" has no keys yet` };
    const account = accountOf(addresses, { accessKeyId, secretAccessKey: secretText(root, 'ACCESS_SECRET_KEY') });
    return {
      ...own,
      addresses,
      account,
      policy: bucketPolicy(bucket, 'aws'),
      connection: `server/${spec.serverRef.name}`,
    };
  }
  const name = spec.connectionRef?.name ?? '';
  const found = accountFor(reader, own.project, { name, region: spec.region });
  if (found.is === 'unusable') return { why: found.why };
  const { spec: addresses } = found.connection;
  return {
    ...own,
    addresses,
    account: found.account,
    policy: bucketPolicy(bucket, arnPartition(addresses)),
    connection: name,
  };
}

/** The placement of a server, as first settled, because its data stay there. */
export function placementOfServer(store: CoreObjectStore, reader: CacheReader): NodePlacement {
  const [first] = reader.list(clusters).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const { region = first?.spec.defaultRegion ?? '' } = store.spec;
  return nodePlacementOf(store) ?? { region, tags: [], required: [] };
}

/** What the first deploy of a server settles permanently; null when nothing is to be settled. */
export function settling(store: CoreObjectStore, reader: CacheReader) {
  const isSettled = annotation.nodePlacement in (store.metadata.annotations ?? {});
  if (store.spec.mode !== 'Server' || isSettled || runningOf(store) === null) return null;
  const text = nodePlacementText(placementOfServer(store, reader));
  return { metadata: { annotations: { [annotation.nodePlacement]: text } } };
}
