import { Effect } from 'effect';
import type { CoreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import { type Fact, known, unknown } from '../../../rules/fact.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Cluster, ReadError } from '../../services/cluster/cluster.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';
import { placedOn } from './observe/server.ts';
import { dropJobSeen, isCreateJobLeft } from './owned/jobs.ts';

/** Reads the Jobs on the server of a logical database, and the pods of one. */
export function askServer(fact: string, logical: CoreLogicalDatabase, reader: CacheReader) {
  const placed = placedOn(logical, reader);
  if (placed === null) return Effect.succeed(unknown('the database server is gone'));
  const asked: Effect.Effect<unknown, ReadError, Cluster> =
    fact === 'createJobLeft' ? isCreateJobLeft(logical, placed) : dropJobSeen(logical, placed);
  return Effect.match(asked, {
    onSuccess: (value): Fact<unknown> => known(value),
    onFailure: (error): Fact<unknown> => unknown(errorMessage(error)),
  });
}
