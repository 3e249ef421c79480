import { Effect } from 'effect';
import { type AppSpec, coreApp } from '../../../../crds/coreApp.ts';
import { withDefaults } from '../../../../crds/defaults.ts';
import { type KubeObject, typeMeta } from '../../../../crds/kind.ts';
import { annotation, label } from '../../../../crds/names.ts';
import { workloadPods } from '../../../../runtime/controllers/capacity.ts';
import { apps } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { namespaces, secrets } from '../../../../runtime/services/cluster/resources.ts';
import { putReadyProject, putDatabaseEnvironment } from '../../../support/database.ts';
import { inSystem, putProject } from '../../../support/project.ts';
import { appIn, deploymentIn, draft, kubelet, type PodsDo, putService, serviceName } from '../../../support/service.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { ofKind } from '../../plan/trouble.ts';
import type { Act, Actor, Path } from '../subject.ts';

export const stateIn = (environment: TestEnvironment): string => appIn(environment)?.status?.phase ?? '';

export const dropService = ({ cluster }: TestEnvironment): void => cluster.drop(apps, serviceName);
export const specIs = (spec: Partial<AppSpec>) => (environment: TestEnvironment) => {
  if (appIn(environment)) putService(environment, spec);
};
export const annotated = (annotations: Readonly<Record<string, string | null>>) => (environment: TestEnvironment) => {
  if (appIn(environment))
    Effect.runSync(environment.cluster.patch(apps, { name: serviceName }, { metadata: { annotations } }));
};

/** A Secret that its variables come from. */
export const putKeys = ({ cluster }: TestEnvironment, value = 'of-the-person', name = 'hello-keys'): void =>
  void cluster.put(secrets, {
    metadata: inSystem(name),
    data: { KEY: Buffer.from(value).toString('base64') },
  });

/** An object of somebody else under the name of the service. */
const putUnmanaged = ({ cluster }: TestEnvironment): void =>
  void cluster.put(owned.services, {
    metadata: { name: serviceName, namespace: 'shop-production' },
    spec: { ports: [{ port: 7 }] },
  } as KubeObject);

/** What an autoscaler writes. */
export function scale(environment: TestEnvironment, replicas: number): void {
  const { name = '', namespace = '' } = deploymentIn(environment)?.metadata ?? {};
  if (name) Effect.runSync(environment.cluster.patch(owned.deployments, { name, namespace }, { spec: { replicas } }));
}

const places = ['shop-production', 'shop-staging', 'shop-pr-7'];

/** What the pods of a workload go through once they are wanted, each step so many ms after the one before. */
type Pods = readonly (readonly [afterMs: number, does: PodsDo])[];
const runs: Pods = [
  [1_000, 'isReady'],
  [5_000, 'runs'],
];
const fails: Pods = [[1_000, 'fails']];
const starts: Pods = [[1_000, 'starts']];
/** A container that ends at once, as often as it is run, which is later and later. */
const ends: Pods = [
  [1_000, 'isReady'],
  [1_000, 'fails'],
  ...[10_000, 20_000, 40_000, 80_000].flatMap((afterMs) => [[afterMs, 'restarts'] as const, [1_000, 'fails'] as const]),
];

/** Acts the pods of the workload out, from the start whenever the Deployment changed. */
const nodes =
  (pods: Pods) =>
  (environment: TestEnvironment): readonly Actor[] => {
    let step = pods.length;
    let due: number | null = null;
    const isBehind = () => {
      const [deployment] = places.flatMap((place) => deploymentIn(environment, place) ?? []);
      if (!deployment)
        return environment.cluster
          .all(workloadPods)
          .some(({ metadata: { labels } }) => labels?.[label.kind] === 'CoreApp');
      const { observedGeneration = 0 } = (deployment.status ?? {}) as { readonly observedGeneration?: number };
      return observedGeneration !== (deployment.metadata.generation ?? 0);
    };
    return [
      {
        act: (now) => {
          if (step > 0 && isBehind()) [step, due] = [0, null];
          const next = pods[step];
          if (!next) return null;
          due ??= now + next[0];
          if (now < due) return null;
          [step, due] = [step + 1, null];
          kubelet(environment, next[1]);
          return `the pods: ${next[1]}`;
        },
        nextAt: () => due ?? Infinity,
      },
    ];
  };

const otherKeys = 'other-keys';
/** Some time after the service names the other Secret and nothing moves any more, somebody changes a value in it. */
const changesTheOther = (environment: TestEnvironment): readonly Actor[] => {
  let due: number | null = null;
  let isDone = false;
  return [
    {
      act: (now) => {
        const isNamed = appIn(environment)?.spec.secretRefs?.[0]?.name === otherKeys;
        due = isDone || !isNamed ? null : (due ?? now + 120_000);
        if (due === null || now < due) return null;
        isDone = true;
        putKeys(environment, 'of-the-person-too', otherKeys);
        return 'another value in the other Secret';
      },
      nextAt: () => due ?? Infinity,
    },
  ];
};

function prepared(environment: TestEnvironment): void {
  putDatabaseEnvironment(environment);
  putKeys(environment);
  putProject(environment, { environments: ['production', 'staging'] });
  environment.cluster.put(namespaces, { metadata: { name: 'shop-staging' } });
}

const whole: Partial<AppSpec> = {
  networking: { host: 'hello.example' },
  config: { LEVEL: 'debug' },
  secretRefs: [{ name: 'hello-keys' }],
};
export const given =
  (
    spec: Partial<AppSpec> = {},
    annotations: Readonly<Record<string, string>> = {},
    also: (environment: TestEnvironment) => void = () => {},
  ) =>
  (environment: TestEnvironment) => {
    prepared(environment);
    also(environment);
    putService(environment, { ...whole, ...spec }, annotations);
  };
const asDraft = given({ deploy: { enabled: false } }, draft);
const withoutProject = (environment: TestEnvironment) => putReadyProject(environment, 'False');

export const once = (state: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => stateIn(environment) === state,
  edit,
});
const command = (machine: string, asked: Exclude<Act['command'], undefined>['asked']): Act['command'] => ({
  kind: 'CoreApp',
  machine,
  name: serviceName,
  asked,
});
const deploys = (revision: string): Act['command'] =>
  command('draftDeploy', { is: 'deploy', revision } as Exclude<Act['command'], undefined>['asked']);
/** Creates the service over the API. */
const creates = (asked: string): Act => ({
  text: asked,
  when: () => true,
  command: {
    kind: 'CoreApp',
    machine: 'draftDeploy',
    name: serviceName,
    asked,
    object: {
      ...typeMeta(coreApp),
      metadata: inSystem(serviceName),
      spec: withDefaults(coreApp.spec, {
        project: 'shop',
        environment: 'production',
        source: { image: 'nginx:1.27' },
      }),
    } as KubeObject,
  },
});
const asked = (state: string, text: string, of: Act['command']): Act => ({
  text,
  when: (environment) => stateIn(environment) === state,
  ...(of && { command: of }),
});
const deploy = asked('Draft', 'deploy', deploys('r1'));
const deployAgain: Act = {
  text: 'deploy again',
  when: (environment) =>
    appIn(environment)?.metadata.annotations?.[annotation.pendingChanges]?.startsWith('settings') === true,
  command: deploys('r2') ?? { kind: '', machine: '', name: '', asked: '' },
};
/** A retry of a service that was given up, once something holds. */
export const retryOf = (when: Act['when'] = () => true): Act => ({
  text: 'retry',
  when: (environment) => stateIn(environment) === 'ProvisionFailed' && when(environment),
  command: {
    kind: 'CoreApp',
    machine: 'provisionRetry',
    name: serviceName,
    asked: 'retry',
  },
  until: (environment) => stateIn(environment) === 'Ready',
});

export interface Told {
  readonly name: string;
  readonly end: string;
  readonly given: Path['given'];
  readonly script?: readonly Act[];
  readonly pods?: Pods;
  /** Who acts besides the nodes. */
  readonly also?: (environment: TestEnvironment) => readonly Actor[];
}

const told: readonly Told[] = [
  { name: 'a draft waits', end: 'Draft', given: asDraft },
  { name: 'a draft is deployed', end: 'Ready', given: asDraft, script: [deploy] },
  { name: 'it is created and deployed', end: 'Ready', given: prepared, script: [creates('createDeployed')] },
  { name: 'made by hand', end: 'Ready', given: given() },
  { name: 'made by hand as a draft', end: 'Draft', given: given({ deploy: { enabled: false } }) },
  {
    name: 'a change waits and is deployed',
    end: 'Ready',
    given: asDraft,
    script: [
      deploy,
      once('Ready', 'an image is saved', specIs({ source: { image: 'nginx:1.28' }, config: { LEVEL: 'info' } })),
      deployAgain,
    ],
  },
  {
    name: 'a change waits while copies and host change',
    end: 'Ready',
    given: asDraft,
    script: [
      deploy,
      once('Ready', 'an image is saved', specIs({ source: { image: 'nginx:1.28' } })),
      once('Ready', 'more copies', specIs({ replicas: 2, networking: { host: 'other.example' } })),
    ],
  },
  {
    name: 'it takes its variables of another Secret',
    end: 'Ready',
    given: given({}, {}, (environment) => putKeys(environment, 'of-the-person', otherKeys)),
    script: [once('Ready', 'another Secret', specIs({ secretRefs: [{ name: otherKeys }] }))],
    also: changesTheOther,
  },
  {
    name: 'it moves to another environment',
    end: 'Ready',
    given: given(),
    script: [once('Ready', 'another environment', specIs({ environment: 'staging' }))],
  },
  {
    name: 'it is autoscaled',
    end: 'Ready',
    given: given({ autoscaling: { enabled: true, min: 1, max: 4 } }),
    script: [once('Ready', 'the autoscaler scales', (environment) => scale(environment, 3))],
  },
  {
    name: 'it is stopped',
    end: 'Draft',
    given: asDraft,
    script: [deploy, once('Ready', 'the gate is closed', specIs({ deploy: { enabled: false } }))],
  },
  { name: 'its pods fail', end: 'ProvisionFailed', given: asDraft, script: [deploy], pods: fails },
  { name: 'its pods end at once', end: 'ProvisionFailed', given: asDraft, script: [deploy], pods: ends },
  {
    name: 'given up, mended and tried again',
    end: 'Ready',
    given: given({ deploy: { enabled: false }, environment: 'pr-7' }, draft),
    script: [
      deploy,
      once('ProvisionFailed', 'the environment comes', (environment) => {
        putProject(environment, { environments: ['production', 'pr-7'] });
        environment.cluster.put(namespaces, { metadata: { name: 'shop-pr-7' } });
      }),
      retryOf(),
    ],
  },
  { name: 'the project is never ready', end: 'Provisioning', given: given({}, {}, withoutProject) },
  { name: 'somebody has its name', end: 'ProvisionFailed', given: given({}, {}, putUnmanaged) },
  { name: 'it is deleted', end: '', given: asDraft, script: [deploy, once('Ready', 'it is deleted', dropService)] },
  { name: 'a draft is deleted', end: '', given: asDraft, script: [once('Draft', 'it is deleted', dropService)] },
  {
    name: 'it is deleted while its pods start',
    end: '',
    given: asDraft,
    script: [deploy, once('Provisioning', 'it is deleted', dropService)],
    pods: starts,
  },
];

const differing = [
  // A deploy over the API may be named by its time, and so its pods; a retry is counted again.
  /core\.platform\/(applied|deploy-revision|last-deployed|move|rollout|variables)|provisionAttempts|reconcileFailures|reconcileRetry/,
  // The record of what runs is made once a Deployment is seen, and kept up to date by a controller of its own.
  /^CoreDeployment hello-active/,
  // The cluster keeps one for each template that it came to start.
  /^ReplicaSet hello-.* (missing|one too many)$|deployment\.kubernetes\.io\/revision/,
];
/** A service that is given up, because the clock passes the end of its attempt, may not have its Deployment yet. */
const unstarted = /^(Deployment|ReplicaSet|Pod) hello.* is missing$/;

/** The paths of a service, with nodes that run its pods. */
export const pathsOf = (all: readonly Told[], alsoDiffers = /^$/): readonly Path[] =>
  all.map(({ name, end, given: before, script = [], pods = runs, also = () => [] }) => ({
    name,
    given: before,
    script,
    actors: (environment) => [...nodes(pods)(environment), ...also(environment)],
    ends: [end],
    mayDiffer: (difference, troubles) =>
      [...differing, alsoDiffers].some((one) => one.test(difference)) ||
      (ofKind(troubles, 'jumps').length > 0 && unstarted.test(difference)),
  }));

export const servicePaths = pathsOf(told);
