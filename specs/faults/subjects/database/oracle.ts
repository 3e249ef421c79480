import { createHash } from 'node:crypto';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { snapshotOf } from '../../../../rules/draftDeploy/stored.ts';
import { helmCharts, postgresClusters } from '../../../../runtime/owned/addonKinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { claimIn, databaseIn, deploymentIn, secretIn, serviceIn, standing, textIn } from '../../../support/database.ts';
import type { World } from '../../../support/world.ts';
import type { Oracle } from '../subject.ts';
import { unnamedConnection } from '../connected.ts';
import { serversIn } from './engines.ts';
import { stateIn } from './paths.ts';

const resources = [helmCharts, postgresClusters, owned.claims, owned.services, owned.deployments, owned.secrets];
const isOurs = ({ metadata: { labels } }: KubeObject) =>
  labels?.['core.platform/managed-by'] === 'core' && labels['core.platform/kind'] === 'CoreDatabase';

/** The existing objects of any database, by kind and name. */
const madeIn = (world: World): readonly string[] =>
  resources
    .flatMap((resource) => world.cluster.all(resource).filter(isOurs))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);

/** What MySQL keeps of itself when it is stopped, for its volume knows no other password. */
const keptPassword = 'Secret orders-bootstrap';

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** What a database that reports Ready lacks. */
function lackingIn(world: World, database: CoreDatabase): readonly string[] {
  const spec = snapshotOf<CoreDatabase['spec']>(database) ?? database.spec;
  const lacks = (what: string, is: boolean) => (is ? [] : [`it is Ready and lacks ${what}`]);
  return [
    ...lacks('its connection', secretIn(world, 'connection') !== undefined),
    ...(spec.placement === 'External' ? [] : lackingServer(world, spec, lacks)),
  ];
}

type Lacks = (what: string, is: boolean) => readonly string[];

const lackingServer = (world: World, { engine }: CoreDatabase['spec'], lacks: Lacks): readonly string[] =>
  engine === 'SQLite'
    ? [
        ...lacks('its pods', deploymentIn(world) !== undefined),
        ...lacks('its Service', serviceIn(world) !== undefined),
        ...lacks('its volume', claimIn(world) !== undefined),
      ]
    : [
        ...lacks('its server', serversIn(world).length > 0),
        ...lacks('one password', textIn(world, 'connection', 'password') === textIn(world, 'bootstrap', 'password')),
        ...lacks('a password', textIn(world, 'bootstrap', 'password') !== ''),
      ];

/** The violations of a converged database. */
function restsIn(world: World, database: CoreDatabase, hasUserEdits: boolean): readonly string[] {
  const { metadata, spec, status } = database;
  if (metadata.deletionTimestamp !== undefined) return ['it is deleted and does not go'];
  const { annotations = {} } = metadata;
  const state = stateIn(world);
  const isDraft = annotations['core.platform/deploy-workflow'] === 'true' && !spec.deploy.enabled;
  const atGate = isDraft === (state === 'Draft') ? [] : [`rests in ${state}, and its gate is not so`];
  if (isDraft)
    return [
      ...atGate,
      ...[...standing(world), ...serversIn(world)].flatMap((one) =>
        one === keptPassword && status?.running?.engine === 'MySQL' ? [] : [`${one} stands of a draft`],
      ),
    ];
  const isTakenUp = (annotations['core.platform/deploy-revision'] ?? '') === (status?.deployRevision ?? '');
  return [
    ...atGate,
    ...(isTakenUp ? [] : ['a deploy is not taken up']),
    ...(state === 'Ready' ? lackingIn(world, database) : []),
    ...(hasUserEdits || snapshotOf(database) === null || state !== 'Ready' ? [] : sizeIn(world, database)),
  ];
}

const isStopped = ({ spec, status }: CoreDatabase) => status?.phase === 'Draft' && spec.engine !== 'MySQL';

/** What must hold of a database under every fault: of its objects, its password and its data. */
export function databaseOracle(world: World, hasUserEdits: boolean): Oracle {
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
      const now = textIn(world, 'bootstrap', 'password');
      // Of a database that is gone no volume knows a password; what comes late is removed.
      if (now === '' || !databaseIn(world)) return (void (password = null), []);
      const before = password;
      password = now;
      return before === null || before === now
        ? []
        : [`the password ${digest(before)} is written over by ${digest(now)}`];
    },
    atRest: () => {
      const database = databaseIn(world);
      if (database) return restsIn(world, database, hasUserEdits);
      return hasUserEdits ? [] : madeIn(world).map((one) => `${one} is left`);
    },
  };
}

/** The volume has the size that was deployed. */
function sizeIn(world: World, database: CoreDatabase): readonly string[] {
  const wanted = String(snapshotOf(database)?.storageSize ?? '1Gi');
  if (database.spec.engine !== 'SQLite') return [];
  return JSON.stringify(claimIn(world)).includes(`"${wanted}"`) ? [] : [`the volume is not ${wanted}`];
}
