import { Effect } from 'effect';
import { coreApp } from '../../../../crds/coreApp.ts';
import type { CoreProject, ProjectSpec } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { environmentDeletion, wholeDeletion } from '../../../../rules/project/deletion.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import { apps, clusters, projects } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { mergePatch } from '../../../../runtime/embedded/api/patch/merge.ts';
import { namespaces, secrets } from '../../../../runtime/services/cluster/resources.ts';
import { causesOf } from '../../../../runtime/step/derive.ts';
import { hangNamespace, releaseNamespace } from '../../../support/hangingNamespace.ts';
import {
  inSystem,
  isolationIn,
  namespaceIn,
  projectIn,
  projectName,
  putCluster,
  putProject,
} from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Act, Path } from '../subject.ts';

export const home = 'shop-production';
const service = 'hello';

/** A project that was observed but never changed state is in its first state. */
export function stateIn(fakes: TestEnvironment): string {
  const { phase, conditions } = projectIn(fakes)?.status ?? {};
  return phase || (conditions === undefined ? '' : 'Reconciling');
}
const messageIn = (fakes: TestEnvironment): string => conditionOf(projectIn(fakes), 'Ready')?.message ?? '';

/** A namespace that a user creates. */
export const putNamespace = (fakes: TestEnvironment, labels: Readonly<Record<string, string>>, name = home): void =>
  void fakes.cluster.put(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    ...namespaceIn(fakes, name),
    metadata: { name, ...namespaceIn(fakes, name)?.metadata, labels },
  });

/** Deletes an object of the environment, as kubectl does. */
export const removePolicy = ({ cluster }: TestEnvironment, name: string): void =>
  Effect.runSync(cluster.remove(owned.networkPolicies, { name, namespace: home }));
export const removeBinding = ({ cluster }: TestEnvironment): void =>
  Effect.runSync(cluster.remove(owned.roleBindings, { name: 'core-environment', namespace: home }));
export const removeNamespace = ({ cluster }: TestEnvironment): void =>
  Effect.runSync(cluster.remove(namespaces, { name: home }));

/** Changes the policy with kubectl so that it admits everybody. */
export function openPolicy(fakes: TestEnvironment): void {
  if (!isolationIn(fakes)) return;
  const named = { name: 'core-project-isolation', namespace: home };
  Effect.runSync(fakes.cluster.patch(owned.networkPolicies, named, { spec: { ingress: [{}] } }));
}

export const putService = ({ cluster }: TestEnvironment): void =>
  void cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: inSystem(service),
    spec: {
      project: projectName,
      environment: 'production',
      source: { image: 'registry.local/ready-made' },
      deploy: { enabled: false },
    },
  });
/** The same in another environment, held by somebody else for a while. */
const putServiceIn = ({ cluster }: TestEnvironment, environment: string): void =>
  void cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: inSystem(`${service}-${environment}`),
    spec: {
      project: projectName,
      environment,
      source: { image: 'registry.local/ready-made' },
      deploy: { enabled: false },
    },
  });

/** Writes a patch as REST does. */
const patched = (fakes: TestEnvironment, project: CoreProject, patch: object): void =>
  void fakes.cluster.put(projects, mergePatch({ ...project }, patch) as CoreProject);

/** What REST writes for a deletion with everything; a request that broke off may have stopped after the first write. */
export function askWhole(fakes: TestEnvironment, writes: 1 | 2 = 2): void {
  const project = projectIn(fakes);
  if (!project) return;
  patched(fakes, project, wholeDeletion(project, 'core.platform/project'));
  if (writes === 2) fakes.cluster.drop(projects, projectName);
}

/** What REST writes for the deletion of an environment. */
export function askEnvironment(fakes: TestEnvironment, environment: string): void {
  const project = projectIn(fakes);
  if (project) patched(fakes, project, environmentDeletion(project, environment));
}

const holdings = (fakes: TestEnvironment): void => {
  putCluster(fakes);
  putServiceIn(fakes, 'production');
  putServiceIn(fakes, 'staging');
  fakes.cluster.put(secrets, {
    metadata: inSystem('shop-shared-secrets'),
    data: Object.fromEntries(
      ['production', 'staging'].map((environment) => [
        `${environment}__TOKEN`,
        Buffer.from(`the-secret-of-${environment}`).toString('base64'),
      ]),
    ),
  });
};
const held: Partial<ProjectSpec> = {
  environments: ['production', 'staging'],
  sharedVariables: ['production', 'staging'].map((environment) => ({
    name: 'TOKEN',
    environment,
    value: '',
    secretRef: { name: 'shop-shared-secrets', key: `${environment}__TOKEN` },
  })),
};

export const dropService = ({ cluster }: TestEnvironment): void => cluster.drop(apps, service);
export const dropProject = ({ cluster }: TestEnvironment): void => cluster.drop(projects, projectName);
export const dropCluster = ({ cluster }: TestEnvironment): void => cluster.drop(clusters, 'local');

/** The Secret that shared variables are read from; null removes its key. */
export const putVariable = ({ cluster }: TestEnvironment, value: string | null): void =>
  void cluster.put(secrets, {
    metadata: inSystem('shop-shared-secrets'),
    data: value === null ? {} : { token: Buffer.from(value).toString('base64') },
  });
export const dropVariable = ({ cluster }: TestEnvironment): void => cluster.drop(secrets, 'shop-shared-secrets');
export const sharedVariables = [
  { name: 'LEVEL', environment: 'production', value: 'debug' },
  {
    name: 'TOKEN',
    environment: 'production',
    value: '',
    secretRef: { name: 'shop-shared-secrets', key: 'token' },
  },
];

const given =
  (spec: Partial<ProjectSpec> = {}, prepare: (fakes: TestEnvironment) => void = (fakes) => putCluster(fakes)) =>
  (fakes: TestEnvironment) => {
    prepare(fakes);
    putProject(fakes, spec);
  };
const taken = (fakes: TestEnvironment) => {
  putCluster(fakes);
  putNamespace(fakes, { 'core.platform/project': 'somebody' });
};
const specIs = (spec: Partial<ProjectSpec>) => (fakes: TestEnvironment) => {
  if (projectIn(fakes)) putProject(fakes, spec);
};

const once = (state: string, text: string, edit: (fakes: TestEnvironment) => void): Act => ({
  text,
  when: (fakes) => stateIn(fakes) === state,
  edit,
});
const onceSaid = (message: string, text: string, edit: (fakes: TestEnvironment) => void): Act => ({
  text,
  when: (fakes) => messageIn(fakes) === message,
  edit,
});
const notReady = 'Referenced CoreCluster is not ready';
const notThere = 'Referenced CoreCluster is not available';

type Told = readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]];

const told: readonly Told[] = [
  ['a project is made', 'ProjectReady', given()],
  [
    'a namespace was there',
    'ProjectReady',
    given({}, (fakes) => (putCluster(fakes), putNamespace(fakes, { team: 'a' }))),
  ],
  [
    'variables are shared, and change',
    'ProjectReady',
    given({ sharedVariables }, (fakes) => {
      putCluster(fakes);
      putVariable(fakes, 'first-secret-value');
    }),
    once('ProjectReady', 'the Secret is another', (fakes) => putVariable(fakes, 'second-secret-value')),
  ],
  [
    'the Secret of a variable comes late',
    'ProjectReady',
    given({ sharedVariables }),
    once('Reconciling', 'the Secret comes', (fakes) => putVariable(fakes, 'first-secret-value')),
  ],
  ['it is open', 'ProjectReady', given({ network: { isolation: 'None' } })],
  [
    'the cluster comes late',
    'ProjectReady',
    given({}, () => {}),
    onceSaid(notThere, 'the cluster comes', (fakes) => putCluster(fakes)),
  ],
  ['the cluster never comes', 'ProvisionFailed', given({}, () => {})],
  [
    'the cluster becomes ready',
    'ProjectReady',
    given({}, (fakes) => putCluster(fakes, 'local', 'False')),
    onceSaid(notReady, 'the cluster becomes ready', (fakes) => putCluster(fakes)),
  ],
  ['the cluster is not ready', 'ReconcileError', given({}, (fakes) => putCluster(fakes, 'local', 'False'))],
  [
    'a policy is deleted',
    'ProjectReady',
    given(),
    once('ProjectReady', 'a policy is deleted', (fakes) => removePolicy(fakes, 'core-block-cloud-metadata')),
  ],
  ['a policy is edited', 'ProjectReady', given(), once('ProjectReady', 'a policy is edited', openPolicy)],
  ['the binding is deleted', 'ProjectReady', given(), once('ProjectReady', 'the binding is deleted', removeBinding)],
  [
    'the namespace is deleted',
    'ProjectReady',
    given(),
    once('ProjectReady', 'the namespace is deleted', removeNamespace),
  ],
  [
    'a namespace hangs while a policy of another is deleted',
    'ProjectReady',
    given({ environments: ['staging', 'production'] }),
    once('ProjectReady', 'staging is deleted and hangs', (fakes) => hangNamespace(fakes, 'shop-staging')),
    {
      text: 'a policy of production is deleted',
      when: (fakes) => causesOf(projectIn(fakes))[0]?.reason === 'NamespaceTerminating',
      edit: (fakes) => removePolicy(fakes, 'core-project-isolation'),
    },
    {
      text: 'staging is gone',
      when: (fakes) => isolationIn(fakes, home) !== undefined,
      edit: (fakes) => releaseNamespace(fakes, 'shop-staging'),
    },
  ],
  [
    'it is opened',
    'ProjectReady',
    given(),
    once('ProjectReady', 'it is opened', specIs({ network: { isolation: 'None' } })),
  ],
  [
    'an environment comes and another goes',
    'ProjectReady',
    given(),
    once('ProjectReady', 'the environments are others', specIs({ environments: ['staging'] })),
  ],
  [
    'an environment stands twice, then once',
    'ProjectReady',
    given({ environments: ['production', 'production'] }),
    once('ReconcileError', 'it is mended', specIs({ environments: ['production'] })),
  ],
  [
    'another cluster is asked for',
    'ReconcileError',
    given({}, (fakes) => (putCluster(fakes), putCluster(fakes, 'other'))),
    once('ProjectReady', 'another cluster is asked for', specIs({ clusterRef: { name: 'other' } })),
  ],
  ['the namespace is of another project', 'ProvisionFailed', given({}, taken)],
  [
    'given up and edited',
    'ProjectReady',
    given({}, taken),
    once('ProvisionFailed', 'another environment is asked for', specIs({ environments: ['staging'] })),
  ],
  ['it is deleted', '', given(), once('ProjectReady', 'it is deleted', dropProject)],
  [
    'it is deleted while a service is left',
    '',
    given({}, (fakes) => (putCluster(fakes), putService(fakes))),
    once('ProjectReady', 'it is deleted', dropProject),
    {
      text: 'the service is deleted',
      when: (fakes) => projectIn(fakes)?.metadata.deletionTimestamp !== undefined,
      edit: dropService,
    },
  ],
  [
    'it is deleted with everything',
    '',
    given(held, holdings),
    once('ProjectReady', 'its deletion with everything is asked for', (fakes) => askWhole(fakes)),
  ],
  [
    'its deletion with everything is asked for and not begun',
    '',
    given(held, holdings),
    once('ProjectReady', 'its deletion with everything is asked for, and no more', (fakes) => askWhole(fakes, 1)),
  ],
  [
    'an environment is deleted',
    'ProjectReady',
    given(held, holdings),
    once('ProjectReady', 'the deletion of an environment is asked for', (fakes) => askEnvironment(fakes, 'staging')),
  ],
  [
    'an environment whose namespace was there is deleted',
    'ProjectReady',
    given(held, (fakes) => (holdings(fakes), putNamespace(fakes, { team: 'a' }, 'shop-staging'))),
    once('ProjectReady', 'the deletion of an environment is asked for', (fakes) => askEnvironment(fakes, 'staging')),
  ],
  [
    'a namespace that was there stays when it is deleted',
    '',
    given({}, (fakes) => (putCluster(fakes), putNamespace(fakes, { team: 'a' }))),
    once('ProjectReady', 'it is deleted', dropProject),
  ],
];

export const projectPaths: readonly Path[] = told.map(([name, end, before, ...script]) => ({
  name,
  given: before,
  script,
  actors: () => [],
  ends: [end],
  // The time of the last counted failure is kept, and only a disturbed path may have one.
  mayDiffer: (difference) => difference.includes('.status.reconcileRetry'),
}));
