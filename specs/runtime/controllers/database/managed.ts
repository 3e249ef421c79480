import * as assert from 'uvu/assert';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { type ClusterShape } from '../../../../runtime/services/cluster/cluster.ts';
import { ProviderFailed } from '../../../../runtime/services/managedDb.ts';
import { databaseIn, putDatabaseEnvironment } from '../../../support/database.ts';
import { managed, putConnection } from '../../../support/managedDatabase.ts';
import type { World } from '../../../support/world.ts';
import { type LiveDatabase, liveDatabase } from './live.ts';

export type Through = (cluster: ClusterShape) => ClusterShape;

interface Around {
  readonly through?: Through;
  readonly annotations?: Readonly<Record<string, string>>;
}

export async function living(
  changes: Partial<DatabaseSpec>,
  test: (live: LiveDatabase) => Promise<void>,
  prepare: (world: World) => void = () => {},
  { through = (cluster) => cluster, annotations = {} }: Around = {},
) {
  const live = await liveDatabase(
    { spec: { ...managed, ...changes }, annotations },
    (world) => {
      putDatabaseEnvironment(world);
      putConnection(world);
      prepare(world);
    },
    through,
  );
  try {
    await test(live);
    assert.not.match(JSON.stringify(databaseIn(live.world) ?? {}), /s3cret|provided-\d/);
    assert.not.match(live.world.logged.join(), /s3cret|provided-\d/);
  } finally {
    await live.end();
  }
}

export const failed = (status: number, until?: number) =>
  new ProviderFailed({ status, message: status === 0 ? 'no answer within 10 s' : `HTTP ${status}`, until });
export const calls = ({ world }: LiveDatabase, call: string) =>
  world.provider.state.calls.filter((one) => one.startsWith(`${call} `));
export const state = ({ world }: LiveDatabase) => world.provider.state;
export const managedPhase = (live: LiveDatabase) => live.database().status?.managed?.phase;
export const counted = (live: LiveDatabase) => live.database().status?.reconcileRetry?.reconcileFailures ?? 0;
export const logins = (live: LiveDatabase, name = 'orders') => live.world.provider.loginsOf(name);
