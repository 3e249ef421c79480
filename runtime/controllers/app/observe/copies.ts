import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import type { FoundCause } from '../../../../rules/cause/cause.ts';
import { causesOfCopies } from '../../../../rules/cause/copies.ts';
import { namespaceOf } from '../../../../rules/project/environment.ts';
import type { StartingPod } from '../../../../rules/pods.ts';
import { gateOf, specOf } from '../../../../rules/service/deployed.ts';
import { replicasOf } from '../../../../rules/service/effective.ts';
import { msOf } from '../../../../rules/time.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { owned } from '../../../owned/owned.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import type { DerivingOfPods } from '../../volumeEvents.ts';
import { connectionsOf, sharedOf } from '../owned/injected.ts';
import { secretContent } from '../owned/secretData.ts';
import { newestRevision } from './pods.ts';

/** The pods of the newest revision of a service that runs. */
export function newestPods(app: CoreApp, reader: CacheReader): readonly StartingPod[] {
  const gate = gateOf(app);
  return gate === 'Draft' ? [] : newestRevision(app, specOf(app, gate), reader).pods;
}

/** Why the copies of a service do not run, or did not lately. */
export function copiesOf(app: CoreApp, { reader, volumeEvent, now }: DerivingOfPods): readonly FoundCause[] {
  const spec = specOf(app, gateOf(app));
  const namespace = namespaceOf(spec.project, spec.environment);
  const { deployment, set, pods } = newestRevision(app, spec, reader);
  return causesOfCopies({
    on: { kind: 'Deployment', name: app.metadata.name, namespace },
    owners: [deployment, set].filter((owner) => owner !== undefined),
    // A Deployment that was just written is not in the cache yet.
    wanted: deployment?.spec?.replicas ?? replicasOf(spec),
    pods,
    volumeEvent,
    secrets: () => secretsOf(app, spec, reader),
    now: msOf(now),
  });
}

/** The values of all Secrets that the copies read, which no line of a log may show. */
function secretsOf(app: CoreApp, spec: AppSpec, reader: CacheReader): readonly string[] {
  const namespace = namespaceOf(spec.project, spec.environment);
  const injected = [...sharedOf(spec, reader), ...connectionsOf(spec)].flatMap(({ from }) => {
    if (from.is !== 'secret') return [];
    const secret = reader.get(owned.secrets, from.name, namespace) ?? reader.get(secrets, from.name, namespace);
    return (secret as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data?.[from.key] ?? [];
  });
  return [...Object.values(secretContent(app, spec, reader).data), ...injected].map(decoded);
}

const decoded = (value: string): string => Buffer.from(value, 'base64').toString();
