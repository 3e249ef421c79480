import { platformConfigName } from '../../../crds/corePlatformConfig.ts';
import type { GitAnswer } from '../../../rules/gitAnswer.ts';
import { isoTime } from '../../../rules/time.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { platformConfigs } from '../../services/cluster/kinds.ts';
import { secrets } from '../../services/cluster/resources.ts';
import type { AppCredentials } from '../../services/gitHost.ts';
import { secretText } from '../../services/secretText.ts';

/** The Secret of the platform's Git host application; empty while the platform names none. */
export const appSecretName = (reader: CacheReader): string =>
  reader.get(platformConfigs, platformConfigName)?.spec.gitAppRef?.name ?? '';

/** The credentials with which the platform's application signs requests. */
export function applicationIn(reader: CacheReader): AppCredentials {
  const application = reader.get(secrets, appSecretName(reader));
  return { appId: secretText(application, 'app_id'), privateKey: secretText(application, 'private_key') };
}

/** Why the Git host gave no result, as text. */
export function refusalOf(answer: Exclude<GitAnswer<never>, { readonly is: 'found' }>): string {
  switch (answer.is) {
    case 'refused':
      return `Git host API returned ${answer.status}`;
    case 'limited':
      return `Git host limits the rate until ${isoTime(answer.until)}`;
    case 'silent':
      return `Git host does not answer: ${answer.why}`;
  }
}
