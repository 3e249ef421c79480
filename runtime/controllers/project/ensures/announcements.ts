import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreApp } from '../../../../crds/coreApp.ts';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import { annotation } from '../../../../crds/names.ts';
import { announced, announcedOf, isAnnouncedWhole } from '../../../../rules/project/announced.ts';
import { eventsKept } from '../../../../rules/webhookDelivery/waiting.ts';
import { announcedDeploy } from '../../app/read.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { byAnnounced } from '../../../services/cluster/indexes.ts';
import { apps, builds } from '../../../services/cluster/kinds.ts';
import { exceptHistory } from '../../../contract/reads.ts';
import { watching } from '../../../contract/controller.ts';
import { asSeen, Cluster } from '../../../services/cluster/cluster.ts';
import { type Ensure, type Ensuring, holds } from '../../../contract/ensure.ts';

const announcedIn = ({ metadata: { name } }: CoreProject, reader: CacheReader): readonly CoreApp[] =>
  reader.indexed(apps, byAnnounced.name, name);

/** The services with an announcement, current or remembered. */
const rememberedIn = (project: CoreProject, reader: CacheReader): readonly CoreApp[] => [
  ...new Set([
    ...announcedIn(project, reader),
    ...(project.status?.announcedDeploys ?? []).flatMap(({ service }) => reader.get(apps, service) ?? []),
  ]),
];

/** Fields of the status: the events of announced deploys, and which of their steps were announced. */
export function announcing(project: CoreProject, reader: CacheReader, now: string) {
  const { announcedDeploys, webhookEvents } = announced(project, rememberedIn(project, reader), {
    at: now,
    deployOf: (app) => announcedDeploy(app, reader),
  });
  const webhookDeliveries = project.status?.webhookDeliveries ?? [];
  return {
    webhookEvents: listOrNone(eventsKept({ webhookDeliveries, webhookEvents })),
    announcedDeploys: listOrNone(announcedDeploys),
  };
}

const listOrNone = <T>(list: readonly T[]) => (list.length === 0 ? null : list);

const isGone = ({ metadata: { name, uid } }: CoreApp, reader: CacheReader) =>
  reader.get(apps, name)?.metadata.uid !== uid;

/**
 * Requeues a project when an announced deploy of one of its services, or its build, changes, or a service is deleted.
 */
export const announcedWatches = [
  watching({
    resource: apps,
    reads: exceptHistory,
    concerns: (app, reader) => (announcedOf(app) !== '' || isGone(app, reader) ? [app.spec.project] : []),
  }),
  watching({
    resource: builds,
    reads: exceptHistory,
    concerns: ({ spec }, reader) => {
      const app = reader.get(apps, spec.app);
      return app && announcedOf(app) !== '' ? [app.spec.project] : [];
    },
  }),
];

/** Removes an announcement once its end was announced. */
export const announcementsEnd: Ensure<CoreProject> = {
  schedule: { firstMs: 1_000, maxMs: 60_000 },
  run: ({ object: project, reader }: Ensuring<CoreProject>) =>
    Effect.gen(function* () {
      const cluster = yield* Cluster;
      const announcedWhole = announcedIn(project, reader).filter((app) => isAnnouncedWhole(project, app));
      yield* eachOf(announcedWhole, (app) =>
        cluster.patch(
          apps,
          { name: app.metadata.name },
          { metadata: { annotations: { [annotation.announcedDeploy]: null } } },
          asSeen(app),
        ),
      );
      return holds;
    }),
};
