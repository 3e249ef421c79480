import type { KubeObject } from '../../../../crds/kind.ts';
import { platformConfigName } from '../../../../crds/corePlatformConfig.ts';
import { platformConfigs } from '../../../../runtime/services/cluster/kinds.ts';
import type { Secret } from '../../../../crds/builtIn.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { secretText } from '../../../../runtime/services/secretText.ts';
import { keyOf } from '../../../support/memoryCluster.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Oracle } from '../subject.ts';
import { connectionIn, isFresh, reasonIn, secretIn } from './objects.ts';

/** No new token is requested while the current one is valid for longer than this. */
const renewedBeforeMs = 5 * 60_000;

/** The expected reason of a connection, given what exists. */
function reasonOf(environment: TestEnvironment): string {
  const connection = connectionIn(environment);
  if (!connection) return '';
  const { secretRef, installationID } = connection.spec;
  const secret = secretIn(environment, secretRef.name);
  if (!secret) return 'SecretMissing';
  if (installationID === undefined) return secretText(secret, 'token') === '' ? 'TokenMissing' : 'TokenReady';
  return isFresh(secret, environment.now()) ? 'TokenReady' : 'TokenRefused';
}

/** Whether the Git host would issue a token at the moment. */
function wouldGive({ cluster, git }: TestEnvironment): boolean {
  const platform = cluster.all(platformConfigs).find(({ metadata }) => metadata.name === platformConfigName);
  const application = cluster.all(secrets).find(({ metadata }) => metadata.name === platform?.spec.gitAppRef?.name);
  return git.noToken === null && secretText(application, 'private_key') !== '';
}

/** What must hold of a connection under every fault: of its token, and of its reports. */
export function connectionOracle(environment: TestEnvironment): Oracle {
  const { git } = environment;
  /** The numbers of tokens that were requested while the Secret held a valid one. */
  const needless = new Set<number>();

  // The simulated host itself observes, because it knows the purpose of each request.
  git.hears = (question) => {
    const connection = connectionIn(environment);
    const secret = connection && secretIn(environment, connection.spec.secretRef.name);
    if (question.startsWith('token ') && isFresh(secret, environment.now(), renewedBeforeMs))
      needless.add(git.issued.length);
  };

  const tells = (object: KubeObject): readonly string[] => {
    if (object.kind === 'Secret' && object.metadata.name === connectionIn(environment)?.spec.secretRef.name) return [];
    const text = JSON.stringify(object);
    const forms = git.issued.flatMap((token) => [token, Buffer.from(token).toString('base64')]);
    return forms.some((form) => text.includes(form)) ? [`${keyOf(object)} shows a token`] : [];
  };

  // A process that paused between its observation and its request obtains a token in vain, which must not be written.
  const replaced = (secret: Secret): readonly string[] =>
    needless.has(git.issued.indexOf(secretText(secret, 'token'))) ? ['a token that lasts is replaced'] : [];

  return {
    look: (changed) => (changed.kind === secrets.kind ? replaced(changed) : tells(changed)),
    atRest: () => {
      const [now, right] = [reasonIn(environment), reasonOf(environment)];
      return [
        ...(needless.size > 1 ? ['tokens are asked for again and again'] : []),
        ...(now === right ? [] : [`says ${now || 'nothing'}, and ${right || 'nothing'} is right`]),
        ...(right === 'TokenRefused' && wouldGive(environment)
          ? ['has no token, though the Git host would give one']
          : []),
        ...environment.cluster
          .everything()
          .filter(({ kind }) => kind !== secrets.kind)
          .flatMap(tells),
      ];
    },
  };
}
