import { Effect } from 'effect';
import type { CoreApp } from '../../../crds/coreApp.ts';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import { platformConfigName } from '../../../crds/corePlatformConfig.ts';
import { label } from '../../../crds/names.ts';
import { appReady, type AppSeen } from '../../../rules/app/ready.ts';
import { buildName, buildOf, type BuildSettings, buildSpec, registryOf } from '../../../rules/build/build.ts';
import type { BuilderSettings } from '../../../rules/build/job.ts';
import { imageByDigest } from '../../../rules/build/image.ts';
import { withCondition } from '../../../rules/condition.ts';
import { readOut } from '../../../rules/verdict.ts';
import { apps, builds, connections, platformConfigs, projects } from '../../kinds.ts';
import { type Controller, controller, type Deriving, type Ensuring, holds, watching } from '../../lifecycle.ts';
import { secrets } from '../../resources.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { Cluster } from '../../services/cluster.ts';
import { branchFollowed } from './branch.ts';

/** CoreApp as far as builds are concerned: creates them, and reports the current one and the image it produced. */
export function appController({ gitUrl }: Pick<BuilderSettings, 'gitUrl'>): Controller {
  return controller<CoreApp>({
    resource: apps,
    lifecycles: [],
    watches: [
      watching({ resource: builds, concerns: ({ spec }, reader) => (reader.get(apps, spec.app) ? [spec.app] : []) }),
      watching({ resource: projects, concerns: ({ metadata }, reader) => appsOf(reader, metadata.name) }),
      watching({ resource: connections, concerns: (_, reader) => gitApps(reader) }),
      watching({
        resource: secrets,
        concerns: ({ metadata }, reader) => (isToken(reader, metadata.name) ? gitApps(reader) : []),
      }),
      watching({ resource: platformConfigs, concerns: (_, reader) => gitApps(reader) }),
    ],
    derive,
    ensures: { buildExists: { run: ensureBuild }, branchFollowed: branchFollowed({ gitUrl, buildOf: currentBuildOf }) },
  });
}

const nameOf = ({ metadata }: CoreApp) => metadata.name;
const appsOf = (reader: CacheReader, project: string) =>
  reader
    .list(apps)
    .filter(({ spec }) => spec.project === project)
    .map(nameOf);
const gitApps = (reader: CacheReader) =>
  reader
    .list(apps)
    .filter(({ spec }) => spec.source.git)
    .map(nameOf);
const isToken = (reader: CacheReader, secret: string) =>
  reader.list(connections).some(({ spec }) => spec.secretRef.name === secret);

/** The project's connection: `none` when the project names none, `absent` when the named one does not exist. */
function connectionOf(app: CoreApp, reader: CacheReader) {
  const name = reader.get(projects, app.spec.project)?.spec.gitConnectionRef?.name ?? '';
  if (name === '') return { name, is: 'none' as const, secret: '' };
  const found = reader.get(connections, name);
  return found
    ? { name, is: 'found' as const, secret: found.spec.secretRef.name }
    : { name, is: 'absent' as const, secret: '' };
}

function settingsOf(app: CoreApp, reader: CacheReader): BuildSettings {
  const { name, is, secret } = connectionOf(app, reader);
  const registry = reader.get(platformConfigs, platformConfigName)?.spec.registry;
  return {
    ...(is === 'found' ? { connection: { name, secret } } : {}),
    platform: { repository: registry?.repository ?? '', credential: registry?.credentialRef?.name ?? '' },
  };
}

function currentBuildOf(app: CoreApp, reader: CacheReader): CoreBuild | undefined {
  const spec = buildSpec(app, settingsOf(app, reader));
  return spec === null ? undefined : reader.get(builds, buildName(spec));
}

function observe(app: CoreApp, reader: CacheReader): AppSeen {
  const { source, project, environment, deploy } = app.spec;
  const found = reader.get(projects, project);
  const { name, is, secret } = connectionOf(app, reader);
  const build = currentBuildOf(app, reader);
  return {
    draft: !deploy.enabled,
    source: source.git ? 'git' : source.function ? 'function' : 'image',
    project,
    environment,
    projectSeen: !found ? 'absent' : found.spec.environments.includes(environment) ? 'fine' : 'withoutEnvironment',
    connection: { name, is },
    secret: { name: secret, found: reader.get(secrets, secret) !== undefined },
    registry: registryOf(app, settingsOf(app, reader)),
    buildPhase: build?.status?.phase ?? '',
    buildFailure: build?.status?.phase === 'Failed' ? (build.status.failureReason ?? '') : '',
    resolvedImage: resolvedImageOf(app, build),
  };
}

/** The digest that the current build recorded; until then, the one that an earlier build recorded. */
function resolvedImageOf(app: CoreApp, build: CoreBuild | undefined): string {
  const { image, git } = app.spec.source;
  if (image) return image;
  const { phase, imageDigest, image: pushed } = build?.status ?? {};
  if (phase === 'Succeeded' && imageDigest && pushed) return imageByDigest(pushed, imageDigest);
  return git ? (app.status?.resolvedImage ?? '') : '';
}

function derive(app: CoreApp, { reader, now }: Deriving) {
  const facts = observe(app, reader);
  return {
    currentBuild: currentBuildOf(app, reader)?.metadata.name ?? app.status?.currentBuild ?? null,
    resolvedImage: facts.resolvedImage || null,
    conditions: withCondition(app, readOut('Ready', appReady, facts), now),
  };
}

/** Whether a build may be created: everything that its name hashes is known (001, 000 Spec). */
const mayBuild = (facts: AppSeen) =>
  facts.source === 'git' &&
  !facts.draft &&
  facts.projectSeen === 'fine' &&
  facts.registry !== '' &&
  (facts.connection.is === 'none' || (facts.connection.is === 'found' && facts.secret.found));

/** Whether the stored service is the same object at the same generation as the cached one, and not being deleted. */
function stillStands({ metadata: { name, uid, generation } }: CoreApp) {
  return Effect.gen(function* () {
    const cluster = yield* Cluster;
    const { metadata } = yield* cluster.get(apps, { name });
    return metadata.uid === uid && metadata.generation === generation && metadata.deletionTimestamp === undefined;
  }).pipe(Effect.catchTag('NotFound', () => Effect.succeed(false)));
}

function ensureBuild({ object: app, reader }: Ensuring<CoreApp>) {
  return Effect.gen(function* () {
    const spec = buildSpec(app, settingsOf(app, reader));
    if (spec === null || !mayBuild(observe(app, reader)) || reader.get(builds, buildName(spec))) return holds;
    const cluster = yield* Cluster;
    // A build of a deleted service would be collected as soon as it is created, and then created again.
    if (!(yield* stillStands(app))) return holds;
    yield* cluster.create(builds, buildOf(app, spec)).pipe(Effect.catchTag('AlreadyExists', () => Effect.void));
    return holds;
  });
}

/** The builds of a service, found by their label. */
export const buildsOfApp = (reader: CacheReader, app: string): readonly CoreBuild[] =>
  reader.indexed(builds, label.app, app);
