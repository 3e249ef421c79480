import type { CoreApp } from '../../crds/coreApp.ts';
import type { AnnouncedDeploy, CoreProject, WebhookEvent } from '../../crds/coreProject.ts';
import { annotation } from '../../crds/names.ts';
import { conditionOf } from '../condition.ts';
import { deployEvent, type DeployNews } from '../webhookDelivery/event.ts';
import { eventsOf, withEvent } from '../webhookDelivery/waiting.ts';

/** The deploy of a service that was announced and whose end is still to be announced; empty for none. */
export const announcedOf = ({ metadata }: CoreApp): string => metadata.annotations?.[annotation.announcedDeploy] ?? '';

type Announcement = Pick<DeployNews, 'type' | 'message'>;

/** How an announced deploy ended; null while it has not. */
function endOf(app: CoreApp, revision: string): Announcement | null {
  const ready = conditionOf(app, 'Ready');
  if (app.status?.deployRevision !== revision || ready === undefined) return null;
  if (ready.status === 'True') return { type: 'deployment.succeeded' };
  return ready.reason === 'ProvisionFailed' ? { type: 'deployment.failed', message: ready.message } : null;
}

/** What is to be announced next of a service; null for nothing. */
function nextOf(app: CoreApp, known: AnnouncedDeploy | undefined): Announcement | null {
  const revision = announcedOf(app);
  if (revision === '') return null;
  if (known?.revision !== revision) return { type: 'deployment.started' };
  return known.told === 'started' ? endOf(app, revision) : null;
}

/** The events for webhooks, and what has been announced of each deploy. */
export interface Announcing {
  readonly webhookEvents: readonly WebhookEvent[];
  readonly announcedDeploys: readonly AnnouncedDeploy[];
}

/** Announces the next step of each such deploy; where there is no room, a later pass does. */
export function announced(project: CoreProject, apps: readonly CoreApp[], at: string): Announcing {
  const standing = new Map(apps.map((app) => [app.metadata.uid ?? '', app]));
  let events = eventsOf(project);
  const known = new Map((project.status?.announcedDeploys ?? []).map((one) => [one.uid, one]));
  for (const [uid, app] of standing) {
    const next = nextOf(app, known.get(uid));
    if (next === null) continue;
    const revision = announcedOf(app);
    const event = deployEvent(project, { app, revision, at, ...next });
    const isNew = event.deliveries.length > 0 && !events.some(({ id }) => id === event.id);
    const entered = isNew ? withEvent(events, event) : events;
    if (entered === null) continue;
    events = entered;
    const told = next.type === 'deployment.started' ? 'started' : 'ended';
    known.set(uid, { service: app.metadata.name, uid, revision, told });
  }
  return { webhookEvents: events, announcedDeploys: [...known.values()].filter(({ uid }) => standing.has(uid)) };
}

/** Whether the end of the announced deploy was announced, so that the announcement can go. */
export const isAnnouncedWhole = ({ status }: CoreProject, app: CoreApp): boolean =>
  (status?.announcedDeploys ?? []).some(
    ({ uid, revision, told }) => uid === app.metadata.uid && told === 'ended' && revision === announcedOf(app),
  );
