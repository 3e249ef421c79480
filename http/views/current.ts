import type { CacheReader } from '../../runtime/cache/reader.ts';
import { apps, builds } from '../../runtime/services/cluster/kinds.ts';
import type { InstanceLine } from './instance.ts';

/** Whether nothing newer took the place of an instance: of builds only the one that its service is at is current. */
export const isCurrent = (reader: CacheReader, { kind, name, columns }: InstanceLine): boolean =>
  kind !== builds.kind || reader.get(apps, columns['app'] ?? '')?.status?.currentBuild === name;
