import type { CoreApp } from '../../../crds/coreApp.ts';
import { buildPhases } from '../../../crds/coreBuild.ts';
import { conditionOf } from '../../../rules/condition.ts';
import type { DeployedBuild, DeploySeen } from '../../../rules/deploy/verdict.ts';
import { pendingOf, revisionOf } from '../../../rules/draftDeploy/stored.ts';
import type { DeployAnnounced } from '../../../rules/project/announced.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { runningApp } from './gate.ts';
import { buildOfSettings, builtImage, imageOf } from './source.ts';

/** The image of what is deployed; empty for a draft, and while there is none. */
export function imageThatRuns(app: CoreApp, reader: CacheReader): string {
  const running = runningApp(app);
  return running === null ? '' : imageOf(running, reader);
}

/** Whether a deploy, or the image of a build, is still to be taken up. */
export function isNewDeploy(app: CoreApp, reader: CacheReader): boolean {
  const { deployRevision = '', takenUpImage = '' } = app.status ?? {};
  const image = imageThatRuns(app, reader);
  return revisionOf(app) !== deployRevision || (image !== '' && image !== takenUpImage);
}

/** The build of a service as it runs; null where nothing is built. */
export function deployedBuild(running: CoreApp, reader: CacheReader): DeployedBuild | null {
  if (running.spec.source.git === undefined) return null;
  const { phase = '', failureReason = '' } = buildOfSettings(running, reader)?.status ?? {};
  return { phase: phase === '' ? 'Pending' : (buildPhases.find((one) => one === phase) ?? 'Running'), failureReason };
}

/** Whether the build of what is deployed is still to be created. */
const lacksBuild = (running: CoreApp | null, reader: CacheReader): boolean =>
  running?.spec.source.git !== undefined && buildOfSettings(running, reader) === undefined;

/** The newest deploy of a service, for the verdict on it. */
export function deploySeen(app: CoreApp, reader: CacheReader): DeploySeen {
  const running = runningApp(app);
  return {
    takenUp: !isNewDeploy(app, reader) && !lacksBuild(running, reader),
    ready: conditionOf(app, 'Ready') ?? null,
    pendingChanges: pendingOf(app).length > 0,
    build: running && deployedBuild(running, reader),
  };
}

/** The newest deploy of a service, for whoever announces it: its spec, and the image of its build. */
export function announcedDeploy(app: CoreApp, reader: CacheReader): DeployAnnounced {
  const running = runningApp(app) ?? app;
  return { seen: deploySeen(app, reader), spec: running.spec, built: builtImage(running, reader) };
}
