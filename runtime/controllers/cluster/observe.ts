import { conditionOf } from '../../../rules/condition.ts';
import { issuerName, type IssuerSeen } from '../../../rules/cluster/issuer.ts';
import type { CoreCluster } from '../../../crds/coreCluster.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { storageDriver } from '../../../rules/cluster/storage.ts';
import { clusterIssuers, issuerDefinition, nodeDrivers } from './kinds.ts';

/** Whether the certificate manager serves its kinds. */
export const isIssuerServed = (reader: CacheReader): boolean =>
  reader.list(issuerDefinition).some((definition) => conditionOf(definition, 'Established')?.status === 'True');

/** Whether the storage add-on serves volumes on a node. */
export const isStorageServed = (reader: CacheReader): boolean =>
  reader.list(nodeDrivers).some(({ spec }) => spec?.drivers?.some(({ name }) => name === storageDriver));

export const issuerSeen = ({ spec }: CoreCluster, reader: CacheReader): IssuerSeen => ({
  email: spec.acmeEmail ?? '',
  isServed: isIssuerServed(reader),
  ready: conditionOf(reader.get(clusterIssuers, issuerName), 'Ready') ?? null,
});
