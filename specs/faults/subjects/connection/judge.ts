import type { KubeObject } from '../../../../crds/kind.ts';
import { platformConfigName } from '../../../../crds/corePlatformConfig.ts';
import { platformConfigs } from '../../../../runtime/kinds.ts';
import type { Secret } from '../../../../crds/builtIn.ts';
import { secrets } from '../../../../runtime/resources.ts';
import { secretText } from '../../../../runtime/services/secretText.ts';
import { keyOf } from '../../../support/memoryCluster.ts';
import type { World } from '../../../support/world.ts';
import type { Judge } from '../subject.ts';
import { connectionIn, isFresh, reasonIn, secretIn } from './objects.ts';

/** Of a token that lasts longer than that, no other one is asked for. */
const renewedBeforeMs = 5 * 60_000;

/** What a connection should say, over what there really is. */
function reasonOf(world: World): string {
  const connection = connectionIn(world);
  if (!connection) return '';
  const { secretRef, installationID } = connection.spec;
  const secret = secretIn(world, secretRef.name);
  if (!secret) return 'SecretMissing';
  if (installationID === undefined) return secretText(secret, 'token') === '' ? 'TokenMissing' : 'TokenReady';
  return isFresh(secret, world.now()) ? 'TokenReady' : 'TokenRefused';
}

/** Whether the Git host would give a token to whoever asks now. */
function wouldGive({ cluster, git }: World): boolean {
  const platform = cluster.all(platformConfigs).find(({ metadata }) => metadata.name === platformConfigName);
  const application = cluster.all(secrets).find(({ metadata }) => metadata.name === platform?.spec.gitAppRef?.name);
  return git.noToken === null && secretText(application, 'private_key') !== '';
}

/** What must hold of a connection whatever befalls it: of its token, and of what it says. */
export function judgeConnection(world: World): Judge {
  const { git } = world;
  /** Tokens that were asked for while the Secret held one that lasts, by their numbers. */
  const needless = new Set<number>();

  // The host itself looks on: it knows who asks for what.
  git.hears = (question) => {
    const connection = connectionIn(world);
    const secret = connection && secretIn(world, connection.spec.secretRef.name);
    if (question.startsWith('token ') && isFresh(secret, world.now(), renewedBeforeMs)) needless.add(git.issued.length);
  };

  const tells = (object: KubeObject): readonly string[] => {
    if (object.kind === 'Secret' && object.metadata.name === connectionIn(world)?.spec.secretRef.name) return [];
    const text = JSON.stringify(object);
    const forms = git.issued.flatMap((token) => [token, Buffer.from(token).toString('base64')]);
    return forms.some((form) => text.includes(form)) ? [`${keyOf(object)} shows a token`] : [];
  };

  // Who stood still between his look and his question asks in vain; what he gets must not be written.
  const replaced = (secret: Secret): readonly string[] =>
    needless.has(git.issued.indexOf(secretText(secret, 'token'))) ? ['a token that lasts is replaced'] : [];

  return {
    look: (changed) => (changed.kind === secrets.kind ? replaced(changed) : tells(changed)),
    atRest: () => {
      const [now, right] = [reasonIn(world), reasonOf(world)];
      return [
        ...(needless.size > 1 ? ['tokens are asked for again and again'] : []),
        ...(now === right ? [] : [`says ${now || 'nothing'}, and ${right || 'nothing'} is right`]),
        ...(right === 'TokenRefused' && wouldGive(world) ? ['has no token, though the Git host would give one'] : []),
        ...world.cluster
          .everything()
          .filter(({ kind }) => kind !== secrets.kind)
          .flatMap(tells),
      ];
    },
  };
}
