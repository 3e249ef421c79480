import * as assert from 'uvu/assert';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { type ClusterShape } from '../../../../runtime/services/cluster/cluster.ts';
import { ProviderFailed } from '../../../../runtime/services/managedDb.ts';
import { databaseIn, putDatabaseEnvironment } from '../../../support/database.ts';
import { managed, putConnection } from '../../../support/managedDatabase.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { type DatabaseSession, databaseSession } from './session.ts';

export type Through = (cluster: ClusterShape) => ClusterShape;

interface ManagedOptions {
  readonly through?: Through;
  readonly annotations?: Readonly<Record<string, string>>;
}

export async function withSession(
  changes: Partial<DatabaseSpec>,
  test: (session: DatabaseSession) => Promise<void>,
  prepare: (environment: TestEnvironment) => void = () => {},
  { through = (cluster) => cluster, annotations = {} }: ManagedOptions = {},
) {
  const session = await databaseSession(
    { spec: { ...managed, ...changes }, annotations },
    (environment) => {
      putDatabaseEnvironment(environment);
      putConnection(environment);
      prepare(environment);
    },
    through,
  );
  try {
    await test(session);
    assert.not.match(JSON.stringify(databaseIn(session.environment) ?? {}), /s3cret|provided-\d/);
    assert.not.match(session.environment.logged.join(), /s3cret|provided-\d/);
  } finally {
    await session.end();
  }
}

export const failed = (status: number, until?: number) =>
  new ProviderFailed({ status, message: status === 0 ? 'no answer within 10 s' : `HTTP ${status}`, until });
export const calls = ({ environment }: DatabaseSession, call: string) =>
  environment.provider.state.calls.filter((one) => one.startsWith(`${call} `));
export const state = ({ environment }: DatabaseSession) => environment.provider.state;
export const managedPhase = (session: DatabaseSession) => session.database().status?.managed?.phase;
export const counted = (session: DatabaseSession) => session.database().status?.reconcileRetry?.reconcileFailures ?? 0;
export const logins = (session: DatabaseSession, name = 'orders') => session.environment.provider.loginsOf(name);
