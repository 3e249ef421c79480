import { createHash } from 'node:crypto';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { snapshotOf } from '../../../../rules/draftDeploy/stored.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { claimIn, databaseIn, deploymentIn, secretIn, serviceIn, standing, textIn } from '../../../support/database.ts';
import type { World } from '../../../support/world.ts';
import type { Judge } from '../subject.ts';
import { stateIn } from './paths.ts';

const resources = [owned.claims, owned.services, owned.deployments, owned.secrets];
const isOurs = ({ metadata: { labels } }: KubeObject) =>
  labels?.['core.platform/managed-by'] === 'core' && labels['core.platform/kind'] === 'CoreDatabase';

/** What stands of any database, by kind and name. */
const madeIn = (world: World): readonly string[] =>
  resources
    .flatMap((resource) => world.cluster.all(resource).filter(isOurs))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** What a database that says it is Ready lacks. */
function lackingIn(world: World, { spec }: CoreDatabase): readonly string[] {
  const isExternal = spec.placement === 'External';
  const lacks = (what: string, is: boolean) => (is ? [] : [`it is Ready and lacks ${what}`]);
  return [
    ...lacks('its connection', secretIn(world, 'connection') !== undefined),
    ...(isExternal
      ? []
      : [
          ...lacks('its pods', deploymentIn(world) !== undefined),
          ...lacks('its Service', serviceIn(world) !== undefined),
          ...lacks('its volume', claimIn(world) !== undefined),
          ...lacks('one password', textIn(world, 'connection', 'password') === textIn(world, 'bootstrap', 'password')),
        ]),
  ];
}

/** What must hold of a database whatever befalls it: of what is made for it, its password and its data. */
export function judgeDatabase(world: World, byHand: boolean): Judge {
  let password: string | null = null;
  return {
    look: (changed) => {
      if (
        changed.kind === 'CoreDatabase' &&
        /of-the-person|password-\d/.test(JSON.stringify((changed as CoreDatabase).status ?? {}))
      )
        return ['a password is told in the status'];
      if (changed.kind !== 'Secret' || byHand) return [];
      const now = textIn(world, 'bootstrap', 'password');
      if (now === '') return (void (password = null), []);
      const before = password;
      password = now;
      return before === null || before === now
        ? []
        : [`the password ${digest(before)} is written over by ${digest(now)}`];
    },
    atRest: () => {
      const database = databaseIn(world);
      const made = madeIn(world);
      if (!database) return byHand ? [] : made.map((one) => `${one} is left`);
      const { metadata, spec, status } = database;
      if (metadata.deletionTimestamp !== undefined) return ['it is deleted and does not go'];
      const state = stateIn(world);
      const isDraft = metadata.annotations?.['core.platform/deploy-workflow'] === 'true' && !spec.deploy.enabled;
      return [
        ...(isDraft === (state === 'Draft')
          ? []
          : [`rests in ${state}, and its gate is ${isDraft ? 'closed' : 'open'}`]),
        ...(isDraft ? standing(world).map((one) => `${one} stands of a draft`) : []),
        ...(state === 'Ready' ? lackingIn(world, database) : []),
        ...(isDraft ||
        (metadata.annotations?.['core.platform/deploy-revision'] ?? '') === (status?.deployRevision ?? '')
          ? []
          : ['a deploy is not taken up']),
        ...(byHand || snapshotOf(database) === null || state !== 'Ready' ? [] : sizeIn(world, database)),
      ];
    },
  };
}

/** The volume is as large as what was deployed asks for. */
function sizeIn(world: World, database: CoreDatabase): readonly string[] {
  const wanted = String(snapshotOf(database)?.storageSize ?? '1Gi');
  return JSON.stringify(claimIn(world)).includes(`"${wanted}"`) ? [] : [`the volume is not ${wanted}`];
}
