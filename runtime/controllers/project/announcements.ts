import { Effect } from 'effect';
import type { CoreApp } from '../../../crds/coreApp.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import { annotation } from '../../../crds/names.ts';
import { announced, announcedOf, isAnnouncedWhole } from '../../../rules/project/announced.ts';
import { eventsKept } from '../../../rules/webhookDelivery/waiting.ts';
import { announcedDeploy } from '../app/deploy.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { apps, builds } from '../../kinds.ts';
import { type Ensure, type Ensuring, holds, watching } from '../../lifecycle.ts';
import { asSeen, Cluster } from '../../services/cluster.ts';

const appsOf = ({ metadata: { name } }: CoreProject, reader: CacheReader): readonly CoreApp[] =>
  reader.list(apps).filter(({ spec }) => spec.project === name);

/** Fields of the status: the events of announced deploys, and which of their steps were announced. */
export function announcing(project: CoreProject, reader: CacheReader, now: string) {
  const { announcedDeploys, webhookEvents } = announced(project, appsOf(project, reader), {
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

/** Requeues a project when an announced deploy of one of its services, or its build, changes, or a service is gone. */
export const announcedWatches = [
  watching({
    resource: apps,
    concerns: (app, reader) => (announcedOf(app) !== '' || isGone(app, reader) ? [app.spec.project] : []),
  }),
  watching({
    resource: builds,
    concerns: ({ spec }, reader) => {
      const app = reader.get(apps, spec.app);
      return app && announcedOf(app) !== '' ? [app.spec.project] : [];
    },
  }),
];

/** An announcement goes once its end was announced. */
export const announcementsEnd: Ensure<CoreProject> = {
  retry: { firstMs: 1_000, mostMs: 60_000 },
  run: ({ object: project, reader }: Ensuring<CoreProject>) =>
    Effect.gen(function* () {
      const cluster = yield* Cluster;
      const announcedWhole = appsOf(project, reader).filter(
        (app) => announcedOf(app) !== '' && isAnnouncedWhole(project, app),
      );
      for (const app of announcedWhole)
        yield* cluster.patch(
          apps,
          { name: app.metadata.name },
          { metadata: { annotations: { [annotation.announcedDeploy]: null } } },
          asSeen(app),
        );
      return holds;
    }),
};
