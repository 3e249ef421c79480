import type { CoreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import { key } from '../../../../crds/names.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { placedOn } from '../observe/server.ts';

export const logicalFinalizer = key('logicaldatabase');

/** Whether the database is dropped with its object, as on a shared server. */
export const isDroppedWithIt = (logical: CoreLogicalDatabase, reader: CacheReader): boolean =>
  placedOn(logical, reader)?.owner === 'shared';
