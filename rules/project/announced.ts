import type { AppSpec, CoreApp } from '../../crds/coreApp.ts';
import type { AnnouncedDeploy, CoreProject, WebhookEvent } from '../../crds/coreProject.ts';
import { annotation } from '../../crds/names.ts';
import { type DeploySeen, verdictOfDeploy } from '../deploy/verdict.ts';
import { recordedImage } from '../deploymentRecord/image.ts';
import { recordedSourceOf } from '../deploymentRecord/recordedSource.ts';
import { revisionOf } from '../draftDeploy/stored.ts';
import { messageOf } from '../verdict.ts';
import { deployEvent, type DeployNews } from '../webhookDelivery/event.ts';
import { eventsOf, withEvent } from '../webhookDelivery/waiting.ts';

/** The announced deploy of a service whose end has not been announced; empty for none. */
export const announcedOf = ({ metadata }: CoreApp): string => metadata.annotations?.[annotation.announcedDeploy] ?? '';

/** The newest deploy of a service, for its announcement. */
export interface DeployAnnounced {
  readonly seen: DeploySeen;
  /** The deployed spec. */
  readonly spec: AppSpec;
  /** The image of its build; empty until that has succeeded, and without a build. */
  readonly built: string;
  /** The worst cause of the service, and of its build; empty for none. */
  readonly causes: Readonly<Record<'service' | 'build', string>>;
}

type Announcement = Pick<DeployNews, 'type' | 'message' | 'image'>;

/** The image of a deploy as in its record, which is never empty. */
const imageText = ({ spec, built }: DeployAnnounced): string =>
  messageOf('Image', recordedImage, recordedSourceOf(spec, built));

const startOf = (deploy: DeployAnnounced): Announcement => ({ type: 'deployment.started', image: imageText(deploy) });

const withCause = (message: string, cause: string): string =>
  cause === '' || message.includes(cause) ? message : `${message} Cause: ${cause}`;

/** How an announced deploy ended; null while it has not. */
function endOf(app: CoreApp, deploy: DeployAnnounced): Announcement | null {
  const verdict = verdictOfDeploy(deploy.seen);
  const image = imageText(deploy);
  if (verdict.is === 'failed')
    return { type: 'deployment.failed', image, message: withCause(verdict.message, deploy.causes[verdict.by]) };
  return verdict.is === 'succeeded'
    ? { type: 'deployment.succeeded', image: app.status?.resolvedImage || image }
    : null;
}

/** The next step to announce for a service; null for nothing. */
function dueOf(app: CoreApp, known: AnnouncedDeploy | undefined): 'start' | 'end' | null {
  const revision = announcedOf(app);
  if (revision === '') return null;
  if (known?.revision !== revision) return 'start';
  return known.told === 'started' && revisionOf(app) === revision ? 'end' : null;
}

/** The events for webhooks, and what has been announced of each deploy. */
export interface Announcing {
  readonly webhookEvents: readonly WebhookEvent[];
  readonly announcedDeploys: readonly AnnouncedDeploy[];
}

/** Announces the next step of each announced deploy; when the list is full, a later pass does. */
export function announced(
  project: CoreProject,
  apps: readonly CoreApp[],
  { at, deployOf }: { readonly at: string; readonly deployOf: (app: CoreApp) => DeployAnnounced },
): Announcing {
  const standing = new Map(apps.map((app) => [app.metadata.uid ?? '', app]));
  let events = eventsOf(project);
  const known = new Map((project.status?.announcedDeploys ?? []).map((one) => [one.uid, one]));
  for (const [uid, app] of standing) {
    const due = dueOf(app, known.get(uid));
    if (due === null) continue;
    const deploy = deployOf(app);
    const next = due === 'start' ? startOf(deploy) : endOf(app, deploy);
    if (next === null) continue;
    const revision = announcedOf(app);
    const event = deployEvent(project, { app, revision, spec: deploy.spec, at, ...next });
    const isNew = event.deliveries.length > 0 && !events.some(({ id }) => id === event.id);
    const entered = isNew ? withEvent(events, event) : events;
    if (entered === null) continue;
    events = entered;
    const told = next.type === 'deployment.started' ? 'started' : 'ended';
    known.set(uid, { service: app.metadata.name, uid, revision, told });
  }
  return { webhookEvents: events, announcedDeploys: [...known.values()].filter(({ uid }) => standing.has(uid)) };
}

/** Whether the end of the announced deploy was announced, so that the announcement can be removed. */
export const isAnnouncedWhole = ({ status }: CoreProject, app: CoreApp): boolean =>
  (status?.announcedDeploys ?? []).some(
    ({ uid, revision, told }) => uid === app.metadata.uid && told === 'ended' && revision === announcedOf(app),
  );
