import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { coreProject } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import { clusters, projects } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { namespaces, secrets } from '../../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../../runtime/services/cluster/cluster.ts';
import {
  bindingIn,
  inSystem,
  isolationIn,
  metadataBlockIn,
  namespaceIn,
  pieceIn,
  projectName,
  putCluster,
  putProject,
} from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { projectSession } from './session.ts';

const spec = suite('the controller of projects');
const home = 'shop-production';
const gaveUp =
  'Provisioning failed after repeated errors. Update settings or platform configuration, then save or redeploy to try again.';
const labels = {
  'core.platform/managed-by': 'core',
  'core.platform/project': 'shop',
  'core.platform/environment': 'production',
  'core.platform/cluster': 'local',
};
const putNamespace = (fakes: TestEnvironment, given: Readonly<Record<string, string>>, name = home) =>
  void fakes.cluster.put(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: given },
  });
const verdict = ({ ready }: Awaited<ReturnType<typeof projectSession>>) => {
  const { status, reason, message } = ready() ?? {};
  return [status, reason, message];
};

spec('PRJ-002 PRJ-089 PRJ-091 PRJ-093 PRJ-113 PRJ-114 PRJ-137 a project is set up and Ready at once', async () => {
  const session = await projectSession({ environments: ['production', 'staging'] });
  assert.equal(verdict(session), ['True', 'ProjectReady', 'Project environments are ready']);
  const { metadata, status } = session.project();
  assert.equal(metadata.finalizers, ['core.platform/project']);
  assert.equal(
    status?.conditions?.map(({ type }) => type),
    ['Ready'],
  );
  assert.equal(status?.clusterRef, { name: 'local' });
  assert.equal(status?.environments, [
    { name: 'production', namespace: 'shop-production' },
    { name: 'staging', namespace: 'shop-staging' },
  ]);
  for (const namespace of ['shop-production', 'shop-staging']) {
    assert.ok(isolationIn(session.environment, namespace));
    assert.ok(metadataBlockIn(session.environment, namespace));
    assert.ok(bindingIn(session.environment, namespace));
  }
  const { 'kubernetes.io/metadata.name': _, ...given } = namespaceIn(session.environment)?.metadata.labels ?? {};
  for (const [name, value] of Object.entries(labels)) assert.is(given[name], value);
  await session.end();
});

spec('a project that is ready writes nothing for an hour', async () => {
  const session = await projectSession();
  const before = session.project().metadata.resourceVersion;
  const changes = ['coreprojects', 'namespaces', 'networkpolicies', 'rolebindings'].map(
    session.environment.cluster.changesOf,
  );
  await session.pass(3_600);
  assert.is(session.project().metadata.resourceVersion, before);
  assert.equal(
    ['coreprojects', 'namespaces', 'networkpolicies', 'rolebindings'].map(session.environment.cluster.changesOf),
    changes,
  );
  await session.end();
});

spec('NET-008 deleted and edited objects of an environment are restored, and the project stays Ready', async () => {
  const session = await projectSession();
  const { environment: fakes } = session;
  const isolation = isolationIn(fakes);
  await session.remove(owned.networkPolicies, 'core-project-isolation', home);
  assert.equal((isolationIn(fakes) as { spec?: object }).spec, (isolation as { spec?: object }).spec);
  assert.is.not(isolationIn(fakes)?.metadata.uid, isolation?.metadata.uid);
  await session.remove(owned.roleBindings, 'core-environment', home);
  assert.ok(bindingIn(fakes));
  await session.edit(({ cluster }) => {
    const named = { name: 'core-block-cloud-metadata', namespace: home };
    Effect.runSync(cluster.patch(owned.networkPolicies, named, { spec: { egress: [{}] } }));
  });
  assert.match(JSON.stringify(metadataBlockIn(fakes)), '169.254.0.0/16');
  await session.edit((of) => putNamespace(of, { team: 'a', 'core.platform/managed-by': 'core' }));
  assert.is(namespaceIn(fakes)?.metadata.labels?.['core.platform/project'], 'shop');
  assert.is(namespaceIn(fakes)?.metadata.labels?.['team'], 'a');
  await session.remove(namespaces, home);
  assert.ok(isolationIn(fakes), 'namespace and all are made anew');
  await session.pass(60);
  assert.is(session.message(), 'Project environments are ready');
  await session.end();
});

spec('NET-002 NET-012 NET-013 isolation follows the setting at once, in every environment', async () => {
  const session = await projectSession({ environments: ['production', 'staging'] });
  await session.edit((fakes) => putProject(fakes, { network: { isolation: 'None' } }));
  for (const namespace of ['shop-production', 'shop-staging']) {
    assert.is(isolationIn(session.environment, namespace), undefined);
    assert.ok(metadataBlockIn(session.environment, namespace));
  }
  await session.edit((fakes) => putProject(fakes, { network: { isolation: 'Project', allowFromProjects: ['api'] } }));
  for (const namespace of ['shop-production', 'shop-staging'])
    assert.match(JSON.stringify(isolationIn(session.environment, namespace)), '["shop","api"]');
  await session.end();
});

spec('PRJ-112 an environment removed from the list keeps its namespace and its policies', async () => {
  const session = await projectSession({ environments: ['production', 'staging'] });
  await session.edit((fakes) => putProject(fakes, { environments: ['production'] }));
  assert.ok(namespaceIn(session.environment, 'shop-staging'));
  assert.ok(isolationIn(session.environment, 'shop-staging'));
  assert.ok(bindingIn(session.environment, 'shop-staging'));
  assert.equal(session.project().status?.environments, [{ name: 'production', namespace: 'shop-production' }]);
  await session.end();
});

spec(
  'PRJ-115 PRJ-123 PRJ-124 PRJ-127 PRJ-138 PRJ-143 a missing cluster counts a failure every 30 s, and the fifth failure fails the project',
  async () => {
    const session = await projectSession({}, () => {});
    const error = ['False', 'ReconcileError', 'Referenced CoreCluster is not available'];
    for (const failures of [1, 2, 3, 4]) {
      assert.equal(verdict(session), error);
      assert.is(session.project().status?.reconcileRetry?.reconcileFailures, failures);
      await session.pass(29);
      await session.edit(({ cluster }) => {
        const metadata = { annotations: { [annotation.lookAt]: `${failures}` } };
        Effect.runSync(cluster.patch(projects, { name: projectName }, { metadata }));
      });
      assert.is(session.project().status?.reconcileRetry?.reconcileFailures, failures, 'it counts once in 30 s');
      await session.pass(1);
    }
    assert.equal(verdict(session), ['False', 'ProvisionFailed', gaveUp]);
    assert.is(namespaceIn(session.environment), undefined);
    await session.end();
  },
);

spec('PRJ-126 PRJ-130 PRJ-144 a project that is ProvisionFailed is unchanged until its spec is edited', async () => {
  const session = await projectSession({}, () => {});
  await session.pass(200);
  assert.equal(verdict(session), ['False', 'ProvisionFailed', gaveUp]);
  await session.edit((fakes) => putCluster(fakes));
  await session.pass(3_600);
  assert.equal(verdict(session), ['False', 'ProvisionFailed', gaveUp]);
  await session.edit((fakes) => putProject(fakes, { displayName: 'the shop' }));
  await session.pass(1);
  assert.equal(verdict(session), ['True', 'ProjectReady', 'Project environments are ready']);
  assert.is(session.project().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
  await session.end();
});

spec('PRJ-125 a project fails when one error lasts three minutes, at any number of occurrences', async () => {
  const session = await projectSession({}, () => {});
  const paused = (value: string | null) => (fakes: TestEnvironment) =>
    void Effect.runSync(
      fakes.cluster.patch(
        projects,
        { name: projectName },
        { metadata: { annotations: { [annotation.paused]: value } } },
      ),
    );
  await session.edit(paused('true'));
  await session.pass(181);
  assert.is(session.project().status?.reconcileRetry?.reconcileFailures, 1);
  await session.edit(paused(null));
  await session.pass(1);
  assert.equal(verdict(session), ['False', 'ProvisionFailed', gaveUp]);
  await session.end();
});

spec('PRJ-008 PRJ-028 the operator ignores displayName and gitConnectionRef of a project', async () => {
  const session = await projectSession();
  const changes = () => ['namespaces', 'networkpolicies', 'rolebindings'].map(session.environment.cluster.changesOf);
  const [before, moves] = [changes(), session.moves().length];
  await session.edit((fakes) => putProject(fakes, { displayName: 'the-shop', gitConnectionRef: { name: 'none' } }));
  await session.pass(3_600);
  assert.equal(changes(), before);
  assert.equal(verdict(session), ['True', 'ProjectReady', 'Project environments are ready']);
  assert.is(session.moves().length, moves);
  await session.end();
});

spec('PRJ-010 a cluster of the same name in another namespace is not used', async () => {
  const session = await projectSession({}, (fakes) => {
    putCluster(fakes);
    const [local] = fakes.cluster.all(clusters);
    if (!local) throw new Error('no cluster');
    fakes.cluster.drop(clusters, 'local');
    fakes.cluster.put(clusters, { ...local, metadata: { name: 'local', namespace: 'elsewhere' } });
  });
  assert.is(session.message(), 'Referenced CoreCluster is not available');
  await session.edit((fakes) => putCluster(fakes));
  assert.is(session.message(), 'Project environments are ready');
  await session.end();
});

spec('PRJ-116 PRJ-117 PRJ-128 PRJ-139 a project waits for a cluster that is not ready without a limit', async () => {
  const session = await projectSession({}, (fakes) => putCluster(fakes, 'local', 'False'));
  await session.pass(3_600);
  assert.equal(verdict(session), ['False', 'ReconcileError', 'Referenced CoreCluster is not ready']);
  assert.is(session.project().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
  await session.edit((fakes) => putCluster(fakes));
  assert.equal(verdict(session), ['True', 'ProjectReady', 'Project environments are ready']);
  await session.end();
});

spec('PRJ-011 PRJ-090 PRJ-118 PRJ-140 a changed clusterRef of a ready project is refused', async () => {
  const session = await projectSession({}, (fakes) => (putCluster(fakes), putCluster(fakes, 'other')));
  await session.edit((fakes) => putProject(fakes, { clusterRef: { name: 'other' } }));
  await session.pass(600);
  assert.equal(verdict(session), ['False', 'ReconcileError', "Changing a project's clusterRef is not supported"]);
  assert.equal(session.project().status?.clusterRef, { name: 'local' });
  await session.edit((fakes) => putProject(fakes, { clusterRef: { name: 'local' } }));
  assert.is(session.message(), 'Project environments are ready');
  await session.end();
});

spec('PRJ-033 PRJ-119 PRJ-141 a project waits without creating environments when two have the same name', async () => {
  const session = await projectSession({ environments: ['production', 'production'] });
  await session.pass(600);
  assert.equal(verdict(session), ['False', 'ReconcileError', 'Project environments must be unique']);
  assert.is(namespaceIn(session.environment), undefined);
  await session.end();
});

spec('PRJ-121 an environment is reported by name and counted as a failure when its name is no DNS label', async () => {
  const session = await projectSession({ environments: ['Staging'] });
  assert.equal(verdict(session), ['False', 'ReconcileError', 'invalid environment "Staging"']);
  await session.pass(200);
  assert.equal(verdict(session), ['False', 'ProvisionFailed', gaveUp]);
  await session.end();
});

spec('PRJ-120 a project whose name is no DNS label is reported by name', async () => {
  const session = await projectSession({}, (fakes) => {
    putCluster(fakes);
    fakes.cluster.put(projects, {
      ...typeMeta(coreProject),
      metadata: inSystem('my.shop'),
      spec: { clusterRef: { name: 'local' }, environments: ['production'] },
    });
  });
  const named = session.environment.cluster.all(projects).find(({ metadata }) => metadata.name === 'my.shop');
  const { status, reason, message } = conditionOf(named, 'Ready') ?? {};
  assert.equal([status, reason, message], ['False', 'ReconcileError', 'invalid project "my.shop"']);
  await session.end();
});

spec('PRJ-034 PRJ-122 PRJ-142 a namespace name that is too long counts as a failure', async () => {
  const environment = 'x'.repeat(59);
  const session = await projectSession({ environments: [environment] });
  const message = `project/environment namespace "shop-${environment}" is invalid`;
  assert.equal(verdict(session), ['False', 'ReconcileError', message]);
  await session.pass(200);
  assert.equal(verdict(session), ['False', 'ProvisionFailed', gaveUp]);
  await session.end();
});

spec('PRJ-100 an existing namespace gets missing labels and outlives the project', async () => {
  const session = await projectSession({}, (fakes) => (putCluster(fakes), putNamespace(fakes, { team: 'a' })));
  assert.is(session.message(), 'Project environments are ready');
  const { 'core.platform/managed-by': _, ...claimed } = labels;
  const given = namespaceIn(session.environment)?.metadata.labels ?? {};
  for (const [name, value] of Object.entries({ team: 'a', ...claimed })) assert.is(given[name], value);
  assert.is(given['core.platform/managed-by'], undefined);
  await session.remove(projects, projectName);
  await session.pass(60);
  assert.equal(session.environment.cluster.all(projects), []);
  assert.ok(namespaceIn(session.environment));
  assert.is(isolationIn(session.environment), undefined);
  assert.is(bindingIn(session.environment), undefined);
  await session.end();
});

spec('a namespace of another project is never touched, and counts', async () => {
  const session = await projectSession({}, (fakes) => {
    putCluster(fakes);
    putNamespace(fakes, { 'core.platform/project': 'somebody' });
  });
  const message = 'project/environment namespace "shop-production" belongs to another project';
  assert.equal(verdict(session), ['False', 'ReconcileError', message]);
  await session.pass(200);
  assert.equal(verdict(session), ['False', 'ProvisionFailed', gaveUp]);
  assert.is(isolationIn(session.environment), undefined);
  await session.end();
});

const encoded = (text: string) => Buffer.from(text).toString('base64');
const putSecret = ({ cluster }: TestEnvironment, data: Readonly<Record<string, string>>) =>
  void cluster.put(secrets, {
    metadata: inSystem('shop-shared-secrets'),
    data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, encoded(value)])),
  });
const variables = [
  { name: 'LEVEL', environment: 'production', value: 'debug' },
  { name: 'LEVEL', environment: 'staging', value: 'info' },
  {
    name: 'TOKEN',
    environment: 'production',
    value: 'not this one',
    secretRef: { name: 'shop-shared-secrets', key: 'production__TOKEN', optional: true },
  },
];
const dataIn = (fakes: TestEnvironment, resource: Resource, name: string, namespace = home) =>
  (pieceIn(fakes, resource, name, namespace) as { readonly data?: unknown } | undefined)?.data;

spec(
  'PRJ-054 PRJ-056 PRJ-058 PRJ-059 PRJ-061 PRJ-062 PRJ-063 shared variables exist in their environment',
  async () => {
    const session = await projectSession(
      { environments: ['production', 'staging'], sharedVariables: variables },
      (fakes) => {
        putCluster(fakes);
        putSecret(fakes, { production__TOKEN: 'one' });
      },
    );
    const { environment: fakes } = session;
    assert.is(session.message(), 'Project environments are ready');
    assert.equal(dataIn(fakes, owned.configMaps, 'core-shared-variables'), { LEVEL: 'debug' });
    assert.equal(dataIn(fakes, owned.configMaps, 'core-shared-variables', 'shop-staging'), { LEVEL: 'info' });
    assert.equal(dataIn(fakes, owned.secrets, 'core-shared-secrets'), { TOKEN: encoded('one') });
    assert.is(dataIn(fakes, owned.secrets, 'core-shared-secrets', 'shop-staging'), undefined);
    await session.edit((of) => putSecret(of, { production__TOKEN: 'two' }));
    assert.equal(dataIn(fakes, owned.secrets, 'core-shared-secrets'), { TOKEN: encoded('two') });
    await session.end();
  },
);

spec('PRJ-064 PRJ-065 empty objects of shared variables are deleted', async () => {
  const session = await projectSession({ sharedVariables: variables }, (fakes) => {
    putCluster(fakes);
    putSecret(fakes, { production__TOKEN: 'one' });
  });
  await session.edit((fakes) => putProject(fakes, { sharedVariables: [] }));
  assert.is(pieceIn(session.environment, owned.configMaps, 'core-shared-variables', home), undefined);
  assert.is(pieceIn(session.environment, owned.secrets, 'core-shared-secrets', home), undefined);
  assert.is(session.message(), 'Project environments are ready');
  await session.end();
});

spec(
  'PRJ-060 PRJ-066 PRJ-067 PRJ-068 PRJ-145 a missing Secret or key is logged and leaves the project Ready',
  async () => {
    const session = await projectSession({ sharedVariables: variables }, (fakes) => {
      putCluster(fakes);
      putSecret(fakes, { production__TOKEN: 'one' });
    });
    const explained = async () => {
      const { operator, time } = session;
      const controller = operator.controllers[0];
      const lifecycle = controller?.lifecycles.find(({ name }) => name === 'projectReady');
      if (!controller || !lifecycle) throw new Error('nobody runs projectReady');
      return JSON.stringify(await time.wait(Effect.runPromise(operator.explain(controller, lifecycle, projectName))));
    };
    await session.edit((fakes) => putSecret(fakes, { other: 'one' }));
    assert.is(session.message(), 'Project environments are ready');
    assert.match(await explained(), 'shared variable TOKEN secret key \\"production__TOKEN\\" was not found');
    const logged = () => session.environment.logged.join('\n').replaceAll('\\"', '"');
    assert.match(logged(), 'shared variable TOKEN secret key "production__TOKEN" was not found');
    assert.equal(
      dataIn(session.environment, owned.secrets, 'core-shared-secrets'),
      { TOKEN: encoded('one') },
      'it stays as it was',
    );
    await session.remove(secrets, 'shop-shared-secrets');
    assert.match(await explained(), 'shared variable TOKEN secret \\"shop-shared-secrets\\" was not found');
    assert.match(logged(), 'shared variable TOKEN secret "shop-shared-secrets" was not found');
    await session.pass(600);
    assert.equal(verdict(session), ['True', 'ProjectReady', 'Project environments are ready']);
    assert.is(session.project().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
    await session.end();
  },
);

spec.run();
