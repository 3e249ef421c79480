import type { CoreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import { key } from '../../../../crds/names.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { placedOn } from '../observe/server.ts';

export const logicalFinalizer = key('logicaldatabase');

/** Only a database on a shared server is dropped with its object. */
export const isDroppedWithIt = (logical: CoreLogicalDatabase, reader: CacheReader): boolean =>
  placedOn(logical, reader)?.owner === 'shared';
