import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import { namespaces } from '../../../runtime/services/cluster/resources.ts';
import { putDatabaseEnvironment } from '../../support/database.ts';
import { hangNamespace, releaseNamespace } from '../../support/hangingNamespace.ts';
import { jobEnds } from '../../support/logicalDatabase.ts';
import { putCluster } from '../../support/project.ts';
import { suite } from '../../support/suite.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { databaseSession } from './database/session.ts';
import { withSession as withLogical } from './logicalDatabase/session.ts';
import { projectSession } from './project/session.ts';
import { running, withSession } from './service/session.ts';

const spec = suite('what was given up for a namespace that hangs');

const place = 'shop-production';
const hung = (environment: TestEnvironment) => {
  putDatabaseEnvironment(environment);
  hangNamespace(environment, place);
};
const isMadeAnew = (environment: TestEnvironment) => {
  releaseNamespace(environment, place);
  environment.cluster.put(namespaces, { metadata: { name: place } });
};
const worst = ({ status }: { readonly status?: { readonly causes?: readonly StoredCause[] } }) => {
  const [cause] = status?.causes ?? [];
  return [cause?.reason, cause?.on.name, cause?.gaveUp, cause?.resolved];
};

spec('SVC-022 a service says that the namespace is over, and Retry deploys it', () =>
  withSession({ prepare: hung }, async (session) => {
    await session.pass(300);
    assert.is(session.ready(), 'False ProvisionFailed');
    assert.equal(worst(session.app()), ['NamespaceTerminating', place, true, undefined]);
    await session.edit(isMadeAnew);
    assert.equal(worst(session.app()), ['NamespaceTerminating', place, true, true]);
    assert.is(await session.ask('provisionRetry', 'retry'), null);
    await session.pass(5);
    await running(session);
    assert.is(session.ready(), 'True ServiceReady');
    assert.equal(session.app().status?.causes ?? [], []);
  }),
);

spec('DB-199 a database says that the namespace is over once it is gone', async () => {
  const session = await databaseSession({ spec: { deploy: { enabled: true } } }, hung);
  await session.pass(600);
  assert.is(session.ready(), 'False ProvisionFailed');
  assert.equal(worst(session.database()), ['NamespaceTerminating', place, true, undefined]);
  await session.edit((environment) => releaseNamespace(environment, place));
  assert.equal(worst(session.database()), ['NamespaceTerminating', place, true, true]);
  await session.end();
});

spec('LDB-079 a logical database says that the namespace is over once it is gone', () =>
  withLogical({ prepare: (environment) => hangNamespace(environment, place) }, async (session) => {
    await session.edit((environment) => jobEnds(environment, 'create', 'Complete'));
    await session.pass(600);
    assert.is(session.ready(), 'False ProvisionFailed');
    assert.equal(worst(session.object()), ['NamespaceTerminating', place, true, undefined]);
    await session.edit((environment) => releaseNamespace(environment, place));
    assert.equal(worst(session.object()), ['NamespaceTerminating', place, true, true]);
  }),
);

spec('PRJ-123 a project says that the namespace is over once it is gone', async () => {
  const session = await projectSession({}, (environment) => {
    environment.cluster.put(namespaces, { metadata: { name: place } });
    hangNamespace(environment, place);
  });
  await session.pass(300);
  assert.is(session.ready()?.reason, 'ProvisionFailed', 'its cluster does not exist');
  await session.edit((environment) => putCluster(environment));
  await session.pass(60);
  assert.equal(worst(session.project()), ['NamespaceTerminating', place, true, undefined]);
  await session.edit((environment) => releaseNamespace(environment, place));
  assert.equal(worst(session.project()), ['NamespaceTerminating', place, true, true]);
  await session.end();
});

spec.run();
