import type { KubeObject } from '../../../crds/kind.ts';
import { conditionOf, isReady } from '../../../rules/condition.ts';
import { appController } from '../../../runtime/controllers/app/controller.ts';
import { databaseController } from '../../../runtime/controllers/database/controller.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { everyKind } from '../../../runtime/services/cluster/kinds.ts';
import { causesOf } from '../../../runtime/step/derive.ts';
import { databaseIn, databaseName, putDatabase, putNode } from '../../support/database.ts';
import { hangNamespace, releaseNamespace } from '../../support/hangingNamespace.ts';
import { projectIn, putCluster, putProject } from '../../support/project.ts';
import { appIn, putService } from '../../support/service.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { nodes as databaseNodes } from './database/paths.ts';
import { putVariable, sharedVariables } from './project/paths.ts';
import { pathsOf, stateIn, type Told } from './service/paths.ts';
import { retryOnceResolved } from './service/troubled.ts';
import type { Act, FaultSubject, Oracle } from './subject.ts';

const hanging = 'shop-staging';

/** A project with two environments, a service in one of them and a database in the other. */
const given =
  (variables: object = {}) =>
  (environment: TestEnvironment): void => {
    putCluster(environment);
    putNode(environment);
    putProject(environment, { environments: ['staging', 'production'], ...variables });
    putService(environment, { environment: 'staging' });
    putDatabase(environment, { deploy: { enabled: true } });
  };

const allReady = (environment: TestEnvironment) =>
  [projectIn(environment), appIn(environment), databaseIn(environment)].every(
    (one) => one !== undefined && isReady(one),
  );
const rootIn = (environment: TestEnvironment) => causesOf(appIn(environment))[0]?.root?.kind;

/** Once the service waits for its project, and that for an object of this kind. */
const onceRooted = (kind: string, text: string, edit: NonNullable<Act['edit']>): Act => ({
  text,
  when: (environment) => rootIn(environment) === kind,
  edit,
});

const told: readonly Told[] = [
  {
    name: 'a namespace hangs, and its service is tried again once that is over',
    end: 'Ready',
    given: given(),
    script: [
      { text: 'staging is deleted and hangs', when: allReady, edit: (all) => hangNamespace(all, hanging) },
      {
        text: 'it is gone',
        when: (environment) => stateIn(environment) === 'ProvisionFailed',
        edit: (all) => releaseNamespace(all, hanging),
      },
      retryOnceResolved,
    ],
  },
  {
    name: 'the project waits for a Secret, then for its cluster, then for the Secret',
    end: 'Ready',
    given: given({ sharedVariables }),
    script: [
      onceRooted('Secret', 'the cluster is not ready', (all) => putCluster(all, 'local', 'False')),
      onceRooted('CoreCluster', 'the cluster is ready', (all) => putCluster(all)),
      onceRooted('Secret', 'the Secret comes', (all) => putVariable(all, 'first-secret-value')),
    ],
  },
];

/** A database keeps running whatever becomes of another environment. */
function oracle(environment: TestEnvironment): Oracle {
  let ran = false;
  return {
    look: (changed: KubeObject) => {
      if (changed.kind !== 'CoreDatabase' || changed.metadata.name !== databaseName) return [];
      const { reason } = conditionOf(changed, 'Ready') ?? {};
      ran ||= isReady(changed);
      return ran && reason === 'ProvisionFailed' ? ['a database is given up for another environment'] : [];
    },
    atRest: () => (allReady(environment) ? [] : ['not all of the project is ready']),
  };
}

/** A project, a service and a database: what one environment lacks, and what that holds up. */
export const environmentsSubject: FaultSubject = {
  name: 'environments',
  tables: ['draftDeploy', 'managedDatabase', 'provisionRetry', 'projectReady', 'service', 'database'],
  controllers: () => [projectController(), appController({ gitUrl: 'https://git.example' }), databaseController()],
  alsoSeen: everyKind,
  removes: true,
  paths: pathsOf(
    told.map((one) => ({ ...one, also: databaseNodes('runs') })),
    /data\.(uri|[a-z-]*password)/,
  ),
  state: stateIn,
  userEdits: {},
  oracle,
};
