import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { platformConfigName } from '../../../../crds/corePlatformConfig.ts';
import { buildName, type BuildSettings, buildSpec } from '../../../../rules/build/build.ts';
import { imageByDigest } from '../../../../rules/build/image.ts';
import { runtimes } from '../../../../rules/function/runtimes.ts';
import { builds, connections, platformConfigs, projects } from '../../../services/cluster/kinds.ts';
import type { CacheReader } from '../../../cache/reader.ts';

/** The project's connection: `none` when the project names none, `absent` when the named one does not exist. */
export function connectionOf({ project }: AppSpec, reader: CacheReader) {
  const name = reader.get(projects, project)?.spec.gitConnectionRef?.name ?? '';
  if (name === '') return { name, is: 'none' as const, secret: '' };
  const found = reader.get(connections, name);
  return found
    ? { name, is: 'found' as const, secret: found.spec.secretRef.name }
    : { name, is: 'absent' as const, secret: '' };
}

export function settingsOf(app: CoreApp, reader: CacheReader): BuildSettings {
  const { name, is, secret } = connectionOf(app.spec, reader);
  const registry = reader.get(platformConfigs, platformConfigName)?.spec.registry;
  return {
    ...(is === 'found' ? { connection: { name, secret } } : {}),
    platform: { repository: registry?.repository ?? '', credential: registry?.credentialRef?.name ?? '' },
  };
}

/** The build of the settings of a service. */
export function buildOfSettings(app: CoreApp, reader: CacheReader): CoreBuild | undefined {
  const spec = buildSpec(app, settingsOf(app, reader));
  return spec === null ? undefined : reader.get(builds, buildName(spec));
}

/** The image of the build of the settings, by digest; empty until that has succeeded. */
export function builtImage(app: CoreApp, reader: CacheReader): string {
  const { phase, imageDigest, image } = buildOfSettings(app, reader)?.status ?? {};
  return phase === 'Succeeded' && imageDigest && image ? imageByDigest(image, imageDigest) : '';
}

/**
 * The image to run: the given one, that of a function's runtime, or the digest of the current build, before that of an
 * earlier build. Empty when there is none.
 */
export function imageOf(app: CoreApp, reader: CacheReader): string {
  const { image, git, function: code } = app.spec.source;
  if (image) return image;
  if (code) return runtimes[code.runtime].image;
  return builtImage(app, reader) || (git ? (app.status?.resolvedImage ?? '') : '');
}
