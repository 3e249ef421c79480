import type { CoreApp } from '../../../../crds/coreApp.ts';
import { buildPhases, type CoreBuild } from '../../../../crds/coreBuild.ts';
import { currentBuild } from '../../../../rules/build/current.ts';
import type { CauseReason } from '../../../../rules/cause/reasons.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import type { DeployedBuild, DeploySeen } from '../../../../rules/deploy/verdict.ts';
import { revisionOf } from '../../../../rules/draftDeploy/stored.ts';
import type { DeployAnnounced } from '../../../../rules/project/announced.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { causesOf } from '../../../step/derive.ts';
import { buildsOfApp } from '../ensures/build.ts';
import { runningApp } from '../../../../rules/service/deployed.ts';
import { buildOfSettings, builtImage, imageOf } from './source.ts';
import { isDeleting } from '../../../../rules/deleting.ts';

/** The image of the deployed spec; empty for a draft, and before it is known. */
export function imageThatRuns(app: CoreApp, reader: CacheReader): string {
  const running = runningApp(app);
  return running === null ? '' : imageOf(running, reader);
}

/** Whether a deploy, or the image of a build, has not been started yet. */
export function isNewDeploy(app: CoreApp, reader: CacheReader): boolean {
  const { deployRevision = '', takenUpImage = '' } = app.status ?? {};
  const image = imageThatRuns(app, reader);
  return revisionOf(app) !== deployRevision || (image !== '' && image !== takenUpImage);
}

/** The phase and the failure of a build; one not created yet is pending. */
export function deployedBuild(build: CoreBuild | undefined): DeployedBuild {
  const { phase = '', failureReason = '' } = build?.status ?? {};
  return {
    phase: phase === '' ? 'Pending' : (buildPhases.find((one) => one === phase) ?? 'Running'),
    failureReason,
    awaitsPush: causesOf(build).some(({ reason }) => reason === ('FirstPushAwaited' satisfies CauseReason)),
  };
}

/** The build of the deployed spec; without one, the current build. */
export function buildOfDeploy(app: CoreApp, reader: CacheReader): CoreBuild | undefined {
  const running = runningApp(app);
  if (running !== null) return buildOfSettings(running, reader);
  const { currentBuild: named } = app.status ?? {};
  return app.spec.source.git && currentBuild(named, buildsOfApp(reader, app.metadata.name));
}

const isDeployed = ({ metadata, spec }: CoreApp): boolean => spec.deploy.enabled && !isDeleting({ metadata });

/** The newest deploy of a service, as its verdict needs it. */
export function deploySeen(app: CoreApp, reader: CacheReader): DeploySeen {
  const build = buildOfDeploy(app, reader);
  const lacksBuild = build === undefined && runningApp(app)?.spec.source.git !== undefined;
  return {
    takenUp: isDeployed(app) && !isNewDeploy(app, reader) && !lacksBuild,
    ready: conditionOf(app, 'Ready') ?? null,
    build: build || lacksBuild ? deployedBuild(build) : null,
  };
}

/** The newest deploy of a service, for its announcement: its spec, and the image of its build. */
export function announcedDeploy(app: CoreApp, reader: CacheReader): DeployAnnounced {
  const running = runningApp(app) ?? app;
  const causes = { service: hindering(app), build: hindering(buildOfDeploy(app, reader)) };
  return { seen: deploySeen(app, reader), spec: running.spec, built: builtImage(running, reader), causes };
}

/** The message of the worst cause that somebody has to act on; empty for none. */
function hindering(object: KubeObject | undefined): string {
  const [worst] = causesOf(object);
  return worst?.severity === 'failure' || worst?.severity === 'waiting' ? worst.message : '';
}
