import { coreDeployment } from '../../../../crds/coreDeployment.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import type { DeployAsked } from '../../../../rules/draftDeploy/facts.ts';
import { apps, deployments } from '../../../../runtime/services/cluster/kinds.ts';
import { putDatabaseEnvironment } from '../../../support/database.ts';
import {
  activeIn,
  appIn,
  available,
  isBehind,
  putService,
  recordsIn,
  serviceName,
  workloadIn,
} from '../../../support/deployed.ts';
import { inSystem } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Act, Actor, Path } from '../subject.ts';

const namesIn = (environment: TestEnvironment): readonly string[] =>
  recordsIn(environment)
    .map(({ metadata }) => metadata.name)
    .toSorted();

/** The records of deploys, without those that were there before, and what is said to run. */
export const stateIn = (environment: TestEnvironment): string =>
  [...namesIn(environment).filter((name) => !name.startsWith('web-old')), activeIn(environment)?.status?.phase ?? '']
    .join(' ')
    .trim();

const draft = (environment: TestEnvironment) => {
  putDatabaseEnvironment(environment);
  putService(environment, { networking: {} });
};

/** As many records of earlier deploys as are kept. */
const withHistory = (environment: TestEnvironment) => {
  draft(environment);
  for (let index = 0; index < 12; index++)
    environment.cluster.put(deployments, {
      ...typeMeta(coreDeployment),
      metadata: {
        ...inSystem(`web-old${String.fromCodePoint(97 + index)}x`),
        labels: { 'core.platform/app': serviceName },
        annotations: { [annotation.deployedAt]: new Date(Date.UTC(2026, 0, 1) + index).toISOString() },
      },
      spec: { app: serviceName, project: 'shop', environment: 'production', image: 'nginx:1' },
    });
};

const asks = (text: string, after: string, asked: DeployAsked): Act => ({
  text,
  when: (environment) => stateIn(environment) === after,
  command: { kind: 'CoreApp', machine: 'draftDeploy', name: serviceName, asked },
});
const deploys = (revision: string, after: string, spec: object = {}): Act =>
  asks(`it is deployed as ${revision}`, after, { is: 'deploy', revision, spec: { ...spec } });
const first: Act = {
  ...deploys('web-aaaaa', ''),
  when: (environment) => appIn(environment)?.status?.phase === 'Draft',
};
const started = 'web-aaaaa Available';

/** The nodes of a cluster: a changed Deployment has its copies a second later. */
function nodes(environment: TestEnvironment): readonly Actor[] {
  let due: number | null = null;
  return [
    {
      act: (now) => {
        if (!isBehind(environment)) return (void (due = null), null);
        due ??= now + 1_000;
        if (now < due) return null;
        due = null;
        available(environment, workloadIn(environment)?.spec?.replicas ?? 1);
        return 'its pods run';
      },
      nextAt: () => due ?? Infinity,
    },
  ];
}

type Told = readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]];

const told: readonly Told[] = [
  ['a draft is deployed', started, draft, first],
  ['it is deployed again', 'web-aaaaa web-bbbbb Available', draft, first, deploys('web-bbbbb', started)],
  [
    'it is rolled back',
    'web-aaaaa web-bbbbb web-ccccc Available',
    draft,
    first,
    deploys('web-bbbbb', started),
    deploys('web-ccccc', 'web-aaaaa web-bbbbb Available', {
      source: { image: 'nginx:1.27', imagePullSecretRef: null },
      replicas: 2,
    }),
  ],
  [
    'its domain is cleared',
    'web-aaaaa web-bbbbb Available',
    draft,
    first,
    asks('its domain is cleared', started, {
      is: 'save',
      spec: { networking: { host: null } },
      record: 'web-bbbbb',
    }),
  ],
  ['the oldest records go', 'web-aaaaa web-bbbbb Available', withHistory, first, deploys('web-bbbbb', started)],
  [
    'it is deleted',
    '',
    draft,
    first,
    {
      text: 'it is deleted',
      when: (environment) => stateIn(environment) === started,
      edit: ({ cluster }) => cluster.drop(apps, serviceName),
    },
  ],
];

export const deploymentPaths: readonly Path[] = told.map(([name, end, given, ...script]) => ({
  name,
  given,
  script,
  actors: nodes,
  ends: [end],
  // The hash of what is applied, the list and the move hold moments; failures that were counted are kept. What runs may
  // be told at once or piece by piece, and two deploys in a row may be one write of the Deployment.
  mayDiffer: (difference) =>
    /core\.platform\/(applied|deploys|move)|provisionAttempts|reconcileRetry|web(-active)?\.metadata\.generation|observedGeneration/.test(
      difference,
    ),
}));
