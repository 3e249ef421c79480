import { Effect } from 'effect';
import type { CoreApp } from '../../../../crds/coreApp.ts';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { label } from '../../../../crds/names.ts';
import { buildName, buildOf, buildSpec, registryOf } from '../../../../rules/build/build.ts';
import { apps, builds, projects } from '../../../services/cluster/kinds.ts';
import { type Ensuring, holds } from '../../../contract/ensure.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { Cluster } from '../../../services/cluster/cluster.ts';
import { runningApp } from '../../../../rules/service/deployed.ts';
import { connectionOf, settingsOf } from '../observe/source.ts';
import { isDeleting } from '../../../../rules/deleting.ts';

/** Whether a build may be created: everything that its name hashes is known (001, 000 Spec). */
function mayBuild(app: CoreApp, reader: CacheReader): boolean {
  const { project, environment } = app.spec;
  const connection = connectionOf(app.spec, reader);
  const isConnected = connection.is === 'found' && reader.get(secrets, connection.secret) !== undefined;
  return (
    reader.get(projects, project)?.spec.environments.includes(environment) === true &&
    registryOf(app, settingsOf(app, reader)) !== '' &&
    (connection.is === 'none' || isConnected)
  );
}

/** Whether the stored service is the same object at the same generation as the cached one, and not being deleted. */
export function isUnchanged({ metadata: { name, uid, generation } }: CoreApp) {
  return Effect.gen(function* () {
    const cluster = yield* Cluster;
    const { metadata } = yield* cluster.get(apps, { name });
    return metadata.uid === uid && metadata.generation === generation && !isDeleting({ metadata });
  }).pipe(Effect.catchTag('NotFound', () => Effect.succeed(false)));
}

/** Creates the build of the deployed settings of a service with a repository. */
export function ensureBuild({ object, reader, add }: Ensuring<CoreApp>) {
  return Effect.gen(function* () {
    const app = runningApp(object);
    const spec = app && buildSpec(app, settingsOf(app, reader));
    if (!app || !spec || !mayBuild(app, reader) || reader.get(builds, buildName(spec))) return holds;
    // A build of a deleted service would be garbage-collected at once, and then recreated.
    if (!(yield* isUnchanged(object))) return holds;
    yield* add(builds, buildOf(app, spec)).pipe(Effect.catchTag('AlreadyExists', () => Effect.void));
    return holds;
  });
}

/** The builds of a service, found by their label. */
export const buildsOfApp = (reader: CacheReader, app: string): readonly CoreBuild[] =>
  reader.indexed(builds, label.app, app);
