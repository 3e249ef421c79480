import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreApp } from '../../../../crds/coreApp.ts';
import type { CoreDeployment } from '../../../../crds/coreDeployment.ts';
import { label } from '../../../../crds/names.ts';
import { activeName, isActive } from '../../../../rules/activeDeployment/name.ts';
import { unrecordedDeploys, withDeploy } from '../../../../rules/deploymentRecord/deploys.ts';
import { recordOf } from '../../../../rules/deploymentRecord/record.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { apps, deployments } from '../../../services/cluster/kinds.ts';
import type { Fields } from '../../../contract/lifecycle.ts';
import { activeRecordOf } from '../../deployment/read.ts';
import { isUnchanged } from './build.ts';
import { imageOf } from '../observe/source.ts';
import { type Ensure, type Ensuring, holds } from '../../../contract/ensure.ts';
import type { AddOther } from '../../../contract/command.ts';
import { watching } from '../../../contract/controller.ts';

const schedule = { firstMs: 5_000, maxMs: 600_000 };

/** The deploy that a service lists, from which its passes create the record. */
export const listed = (
  app: CoreApp,
  deploy: { readonly name: string; readonly at: string },
  reader: CacheReader,
): Fields => withDeploy(app, { ...deploy, resolvedImage: imageOf(app, reader) });

/** The newest listed deploy that has its record; records are created in list order. */
export function recordedDeploy(app: CoreApp, reader: CacheReader): string | null {
  const newest = unrecordedDeploys(app).findLast(({ name }) => reader.get(deployments, name) !== undefined);
  return newest?.name ?? app.status?.recordedDeploy ?? null;
}

const create = (record: CoreDeployment, add: AddOther) =>
  add(deployments, record).pipe(Effect.catchTag('AlreadyExists', () => Effect.void));

/** Creates the record of every listed deploy. */
const deploysRecorded = Effect.fnUntraced(function* ({ object: app, reader, entered, add }: Ensuring<CoreApp>) {
  const missing = unrecordedDeploys(app).filter(({ name }) => reader.get(deployments, name) === undefined);
  // A record of a deleted service would outlive it. A service moved in this pass was just written over its version.
  if (missing.length === 0 || !(entered || (yield* isUnchanged(app)))) return holds;
  yield* eachOf(missing, (deploy) => create(recordOf(app, deploy), add));
  return holds;
});

/** Creates the record of what runs for a service with a Deployment; another controller updates it. */
const activeRecorded = Effect.fnUntraced(function* ({ object: app, reader, add }: Ensuring<CoreApp>) {
  if (reader.get(deployments, activeName(app.metadata.name)) !== undefined) return holds;
  const record = activeRecordOf(app, reader);
  if (record !== null) yield* create(record, add);
  return holds;
});

/** The ensures for the records of a service. */
export const recordEnsures: Readonly<Record<'deploysRecorded' | 'activeRecorded', Ensure<CoreApp>>> = {
  deploysRecorded: { run: deploysRecorded, schedule },
  activeRecorded: { run: activeRecorded, schedule },
};

const isUnrecorded = (app: CoreApp, name: string) => unrecordedDeploys(app).some((deploy) => deploy.name === name);

/** Triggers a pass when the service does not know a record, or has to recreate it. */
export const recordWatch = watching({
  resource: deployments,
  // Only its existence matters.
  reads: ({ metadata }) => metadata.labels,
  concerns: ({ metadata: { name, labels } }, reader) => {
    const app = reader.get(apps, labels?.[isActive(name) ? label.name : label.app] ?? '');
    if (!app) return [];
    const isNews = isActive(name) ? reader.get(deployments, name) === undefined : isUnrecorded(app, name);
    return isNews ? [app.metadata.name] : [];
  },
});
