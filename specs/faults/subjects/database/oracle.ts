import { createHash } from 'node:crypto';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { snapshotOf } from '../../../../rules/draftDeploy/stored.ts';
import { helmCharts, postgresClusters } from '../../../../runtime/owned/addonKinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { claimIn, databaseIn, deploymentIn, secretIn, serviceIn, standing, textIn } from '../../../support/database.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Oracle } from '../subject.ts';
import { unnamedConnection } from '../connected.ts';
import { serversIn } from './engines.ts';
import { stateIn } from './paths.ts';

const resources = [helmCharts, postgresClusters, owned.claims, owned.services, owned.deployments, owned.secrets];
const isOurs = ({ metadata: { labels } }: KubeObject) =>
  labels?.['core.platform/managed-by'] === 'core' && labels['core.platform/kind'] === 'CoreDatabase';

/** The existing objects of any database, by kind and name. */
const madeIn = (environment: TestEnvironment): readonly string[] =>
  resources
    .flatMap((resource) => environment.cluster.all(resource).filter(isOurs))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);

/** What MySQL keeps of itself when it is stopped, for its volume knows no other password. */
const keptPassword = 'Secret orders-bootstrap';

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** What a database that reports Ready lacks. */
function lackingIn(environment: TestEnvironment, database: CoreDatabase): readonly string[] {
  const spec = snapshotOf<CoreDatabase['spec']>(database) ?? database.spec;
  const lacks = (what: string, is: boolean) => (is ? [] : [`it is Ready and lacks ${what}`]);
  return [
    ...lacks('its connection', secretIn(environment, 'connection') !== undefined),
    ...(spec.placement === 'External' ? [] : lackingServer(environment, spec, lacks)),
  ];
}

type Lacks = (what: string, is: boolean) => readonly string[];

const lackingServer = (
  environment: TestEnvironment,
  { engine }: CoreDatabase['spec'],
  lacks: Lacks,
): readonly string[] =>
  engine === 'SQLite'
    ? [
        ...lacks('its pods', deploymentIn(environment) !== undefined),
        ...lacks('its Service', serviceIn(environment) !== undefined),
        ...lacks('its volume', claimIn(environment) !== undefined),
      ]
    : [
        ...lacks('its server', serversIn(environment).length > 0),
        ...lacks(
          'one password',
          textIn(environment, 'connection', 'password') === textIn(environment, 'bootstrap', 'password'),
        ),
        ...lacks('a password', textIn(environment, 'bootstrap', 'password') !== ''),
      ];

/** The violations of a converged database. */
function restsIn(environment: TestEnvironment, database: CoreDatabase, hasUserEdits: boolean): readonly string[] {
  const { metadata, spec, status } = database;
  if (metadata.deletionTimestamp !== undefined) return ['it is deleted and does not go'];
  const { annotations = {} } = metadata;
  const state = stateIn(environment);
  const isDraft = annotations['core.platform/deploy-workflow'] === 'true' && !spec.deploy.enabled;
  const atGate = isDraft === (state === 'Draft') ? [] : [`rests in ${state}, and its gate is not so`];
  if (isDraft)
    return [
      ...atGate,
      ...[...standing(environment), ...serversIn(environment)].flatMap((one) =>
        one === keptPassword && status?.running?.engine === 'MySQL' ? [] : [`${one} stands of a draft`],
      ),
    ];
  const isTakenUp = (annotations['core.platform/deploy-revision'] ?? '') === (status?.deployRevision ?? '');
  return [
    ...atGate,
    ...(isTakenUp ? [] : ['a deploy is not taken up']),
    ...(state === 'Ready' ? lackingIn(environment, database) : []),
    ...(hasUserEdits || snapshotOf(database) === null || state !== 'Ready' ? [] : sizeIn(environment, database)),
  ];
}

const isStopped = ({ spec, status }: CoreDatabase) => status?.phase === 'Draft' && spec.engine !== 'MySQL';

/** What must hold of a database under every fault: of its objects, its password and its data. */
export function databaseOracle(environment: TestEnvironment, hasUserEdits: boolean): Oracle {
  let password: string | null = null;
  return {
    look: (changed) => {
      if (
        changed.kind === 'CoreDatabase' &&
        /of-the-person|password-\d/.test(JSON.stringify((changed as CoreDatabase).status ?? {}))
      )
        return ['a password is told in the status'];
      // A stop takes the data, and with it the password, of every engine but MySQL.
      if (changed.kind === 'CoreDatabase' && isStopped(changed as CoreDatabase)) password = null;
      if (changed.kind === 'CoreDatabase' && !hasUserEdits) return unnamedConnection(changed);
      if (changed.kind !== 'Secret' || hasUserEdits) return [];
      const now = textIn(environment, 'bootstrap', 'password');
      // Of a database that is gone no volume knows a password; what comes late is removed.
      if (now === '' || !databaseIn(environment)) return (void (password = null), []);
      const before = password;
      password = now;
      return before === null || before === now
        ? []
        : [`the password ${digest(before)} is written over by ${digest(now)}`];
    },
    atRest: () => {
      const database = databaseIn(environment);
      if (database) return restsIn(environment, database, hasUserEdits);
      return hasUserEdits ? [] : madeIn(environment).map((one) => `${one} is left`);
    },
  };
}

/** The volume has the size that was deployed. */
function sizeIn(environment: TestEnvironment, database: CoreDatabase): readonly string[] {
  const wanted = String(snapshotOf(database)?.storageSize ?? '1Gi');
  if (database.spec.engine !== 'SQLite') return [];
  return JSON.stringify(claimIn(environment)).includes(`"${wanted}"`) ? [] : [`the volume is not ${wanted}`];
}
