import { createHash } from 'node:crypto';
import type { AppSpec, CoreApp } from '../../crds/coreApp.ts';
import type { CoreProject, WebhookEvent } from '../../crds/coreProject.ts';
import { annotation } from '../../crds/names.ts';
import type { WebhookDeliveryFacts } from './facts.ts';

const hexOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/** A deterministic id of a deploy's event, so that a repeated observation gives the same event. */
const deployEventId = (uid: string, revision: string, type: string): string => `evt_${hexOf(uid, revision, type)}`;

const deliveryIdOf = (eventId: string, webhookId: string): string => hexOf(eventId, webhookId);

const projectPart = ({ metadata: { name }, spec }: CoreProject) => ({ name, displayName: spec.displayName ?? name });

/** One deploy of a service, and the content of its event. */
export interface DeployNews {
  readonly app: CoreApp;
  readonly revision: string;
  /** The deployed spec. */
  readonly spec: AppSpec;
  readonly image: string;
  readonly type: Exclude<WebhookDeliveryFacts['type'], 'test'>;
  /** Why it failed. */
  readonly message?: string;
  /** The time as RFC 3339. */
  readonly at: string;
}

function servicePart({ app: { metadata, status }, spec }: DeployNews) {
  const { name, annotations } = metadata;
  const kind = spec.source.function ? 'function' : 'service';
  return { name, displayName: annotations?.[annotation.displayName] ?? name, kind, url: status?.url ?? '' };
}

const deploymentPart = ({ spec, revision, image }: DeployNews) => {
  const { commit } = spec.source.git ?? {};
  return { revision, image, ...(commit ? { commit } : {}) };
};

/** The place in the body of an event. */
interface EventBody {
  readonly environment: string;
  readonly service: { readonly name: string };
}

/** An event of a deploy, for each webhook of the project. */
export function deployEvent(project: CoreProject, news: DeployNews): WebhookEvent {
  const { app, revision, type, message, at } = news;
  const id = deployEventId(app.metadata.uid ?? '', revision, type);
  const body = {
    id,
    type,
    createdAt: at,
    project: projectPart(project),
    environment: news.spec.environment,
    service: servicePart(news),
    deployment: deploymentPart(news),
    ...(message === undefined ? {} : { message }),
  };
  const deliveries = (project.spec.webhooks ?? []).map((webhook) => ({
    webhookId: webhook.id,
    deliveryId: deliveryIdOf(id, webhook.id),
  }));
  return { id, type, body: JSON.stringify(body), deliveries };
}

/** The service that an event is about; empty for a test. */
export function serviceIn({ body }: Pick<WebhookEvent, 'body'>): {
  readonly name: string;
  readonly environment: string;
} {
  const { service, environment = '' } = JSON.parse(body) as Partial<EventBody>;
  return { name: service?.name ?? '', environment };
}

/** A test event for one webhook, with generated ids. */
export function testEvent(
  project: CoreProject,
  webhookId: string,
  { eventHex, deliveryId, at }: { readonly eventHex: string; readonly deliveryId: string; readonly at: string },
): WebhookEvent {
  const id = `evt_${eventHex}`;
  const message = 'This is a test of the webhook.';
  const body = { id, type: 'test', createdAt: at, project: projectPart(project), message };
  return { id, type: 'test', body: JSON.stringify(body), deliveries: [{ webhookId, deliveryId }] };
}
