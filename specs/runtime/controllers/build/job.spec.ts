import * as assert from 'uvu/assert';
import { coreCluster } from '../../../../crds/coreCluster.ts';
import { coreProject } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import { buildLabels } from '../../../../rules/build/build.ts';
import { builds, clusters, projects } from '../../../../runtime/services/cluster/kinds.ts';
import { jobs, pods } from '../../../../runtime/services/cluster/resources.ts';
import { refusals, schemaAt } from '../../../crds/served.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { userBuild } from '../../../support/environment.ts';
import { connect } from './objects.ts';
import { branch, startSession, type Session, name } from './session.ts';

const spec = suite('the Job of a build');

interface Container {
  readonly name: string;
  readonly workingDir?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly terminationMessagePath?: string;
  readonly securityContext?: object;
  readonly env?: readonly object[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}
interface JobSpec {
  readonly backoffLimit: number;
  readonly ttlSecondsAfterFinished: number;
  readonly template: { readonly metadata: object; readonly spec: PodSpec };
}
interface PodSpec {
  readonly restartPolicy: string;
  readonly securityContext: object;
  readonly initContainers: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes: readonly object[];
  readonly nodeSelector: object;
  readonly tolerations: readonly object[];
}

/** The Job that the operator created for a build of this spec, as stored in the cluster. */
async function jobOf(
  own: Parameters<typeof startSession>[0],
  prepare: (environment: TestEnvironment) => void = () => {},
) {
  const given: Session = await startSession(own, prepare);
  const job = given.job();
  await given.end();
  if (!job) throw new Error('the build has no Job');
  const made = job.spec as unknown as JobSpec;
  const [git] = made.template.spec.initContainers;
  const [builder] = made.template.spec.containers;
  if (!git || !builder) throw new Error('the Job lacks a container');
  return { job, spec: made, pod: made.template.spec, git, builder, build: given.build() };
}
const namesOf = (containers: readonly Container[]) => containers.map((container) => container.name);

spec('BLD-080 BLD-081 each build gets one Job, <build>-builder in core-system, owned by it', async () => {
  const { job, build } = await jobOf({});
  assert.equal([job.metadata.namespace, job.metadata.name], [systemNamespace, `${name}-builder`]);
  const { apiVersion, kind, metadata } = build;
  const owner = { apiVersion, kind, name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
  assert.equal(job.metadata.ownerReferences, [owner]);
  assert.equal(job.metadata.labels, buildLabels(build.spec));
});

spec('BLD-082 the build pod runs the init container git, then the container builder', async () => {
  const { pod } = await jobOf({});
  assert.equal([namesOf(pod.initContainers), namesOf(pod.containers)], [['git'], ['builder']]);
});

spec(
  'BLD-086 BLD-087 the Job of a build has two retries, each in another pod, and is removed after an hour',
  async () => {
    const made = (await jobOf({})).spec;
    assert.equal([made.backoffLimit, made.template.spec.restartPolicy], [2, 'Never']);
    assert.is(made.ttlSecondsAfterFinished, 3_600);
  },
);

const registry = 'host:5000/a/b:fixed';

spec(
  'BLD-032 BLD-035 BLD-045 BLD-085 builder builds the recipe, pushes as configured and ends with the digest',
  async () => {
    for (const [context, directory, recipe] of [
      ['', '/workspace', '/workspace/docker/Web'],
      ['/web', '/workspace/web', '/workspace/web/docker/Web'],
    ] as const) {
      const { builder } = await jobOf({ context, registry, buildfile: 'docker/Web' });
      assert.is(builder.workingDir, directory);
      assert.equal(builder.args, [
        `--context=dir://${directory}`,
        `--dockerfile=${recipe}`,
        `--destination=${registry}`,
        '--digest-file=/dev/termination-log',
      ]);
      assert.is(builder.terminationMessagePath, '/dev/termination-log');
      assert.is(builder.command, undefined, 'the image says what runs');
    }
  },
);

spec('BLD-050 cache is a boolean, off by default, that turns on the layer cache of the builder', async () => {
  const { type, default: given } = schemaAt('corebuilds', 'spec.cache');
  assert.equal([type, given], ['boolean', false]);
  for (const cache of [false, true]) {
    const { builder } = await jobOf({ cache });
    assert.is(builder.args?.includes('--cache=true'), cache);
  }
});

const credentials = { name: 'push' };

spec('BLD-047 BLD-048 .registryconfigjson of the credential is mounted only into builder', async () => {
  const { pod, git, builder } = await jobOf({ credentialRef: credentials });
  assert.match(
    JSON.stringify(pod.volumes[1]),
    '"secretName":"push","items":[{"key":".registryconfigjson","path":"config.json"}]',
  );
  const mounted = { name: 'registry', mountPath: '/kaniko/.docker', readOnly: true };
  assert.equal(builder.volumeMounts.slice(1), [mounted]);
  assert.equal(
    git.volumeMounts.map((mount) => mount.name),
    ['workspace'],
  );
  const without = await jobOf({});
  assert.is(without.pod.volumes.length, 1);
  assert.is(without.builder.volumeMounts.length, 1);
  assert.equal(refusals('corebuilds', userBuild('x', { credentialRef: credentials })), []);
  assert.ok(
    refusals('corebuilds', { ...userBuild('x'), spec: { ...userBuild('x').spec, credentialRef: 'push' } }).length,
  );
});

spec('BLD-042 git clones with the key token of the Git credential, which builder does not get', async () => {
  const { git, builder } = await jobOf({ ...branch, gitCredentialRef: { name: 'clone' } }, connect);
  assert.equal(git.env?.at(-1), {
    name: 'GIT_TOKEN',
    valueFrom: { secretKeyRef: { name: 'clone', key: 'token' } },
  });
  assert.is(builder.env, undefined);
  const without = await jobOf({});
  assert.not.match(JSON.stringify(without.git.env), 'GIT_TOKEN');
});

spec('BLD-098 build containers have no security context, so a build recipe runs as root in core-system', async () => {
  const { job, pod } = await jobOf({ cache: true, credentialRef: credentials });
  assert.is(job.metadata.namespace, systemNamespace);
  assert.equal(pod.securityContext, {});
  for (const container of [...pod.initContainers, ...pod.containers]) assert.is(container.securityContext, undefined);
});

/** A project with this region and these tags, on a cluster with a default region. */
const project = (region: string, requiredTags: readonly string[]) => (environment: TestEnvironment) => {
  const inSystem = (of: string) => ({ name: of, namespace: systemNamespace });
  environment.cluster.put(clusters, {
    ...typeMeta(coreCluster),
    metadata: inSystem('local'),
    spec: { defaultRegion: 'near' },
  });
  environment.cluster.put(projects, {
    ...typeMeta(coreProject),
    metadata: inSystem('demo'),
    spec: { clusterRef: { name: 'local' }, environments: ['production'], region, requiredTags },
  });
};

spec(
  'BLD-022 a build runs only on nodes of the project’s region with every tag that the project requires',
  async () => {
    for (const [region, tags, nodeSelector] of [
      ['far', [], { 'core.platform/region': 'far' }],
      ['', [], { 'core.platform/region': 'near' }],
      [
        'far',
        ['ssd', 'eu'],
        { 'core.platform/region': 'far', 'core.platform/tag-ssd': 'true', 'core.platform/tag-eu': 'true' },
      ],
    ] as const) {
      const { pod } = await jobOf({}, project(region, tags));
      assert.equal(pod.nodeSelector, nodeSelector);
      assert.equal(
        pod.tolerations.map((one) => (one as { readonly value: string }).value),
        tags,
      );
    }
  },
);

spec('BLD-044 a build runs no Job when it has no registry', async () => {
  const given = await startSession({ registry: '' });
  assert.equal([given.status().phase, given.seenJobs], ['Failed', []]);
  await given.end();
});

spec('BLD-081 the Job and the pods of a build are deleted with the build', async () => {
  const given = await startSession();
  await given.ends('Complete');
  assert.is(given.environment.cluster.all(pods).length, 1);
  await given.edit(({ cluster }) => cluster.drop(builds, name));
  assert.equal([given.environment.cluster.all(jobs), given.environment.cluster.all(pods)], [[], []]);
  await given.end();
});

spec.run();
