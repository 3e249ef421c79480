import type { CoreProject, ProjectStatus, WebhookDelivery, WebhookEvent } from '../../crds/coreProject.ts';

import { msOf } from '../time.ts';
import { deliveryLimits } from './facts.ts';

/** The newest deliveries that a project keeps, and the most events that wait for theirs (document 001, Limits). */
export const deliveriesKept = 20;
export const eventsWaiting = 100;
/** The most further events, whose deliveries will fail. */
const eventsOverflowing = 20;

/** The error of deliveries beyond the limit. */
export const tooManyWaiting = 'too many webhook events are waiting';

type Status = Pick<ProjectStatus, 'webhookDeliveries' | 'webhookEvents'>;

const isUnderWay = ({ durationMillis }: WebhookDelivery): boolean => durationMillis === undefined;

export const deliveriesOf = ({ status }: Pick<CoreProject, 'status'>): readonly WebhookDelivery[] =>
  status?.webhookDeliveries ?? [];
export const eventsOf = ({ status }: Pick<CoreProject, 'status'>): readonly WebhookEvent[] =>
  status?.webhookEvents ?? [];

/** A delivery that has not started, with its event. */
export interface Waiting {
  readonly event: WebhookEvent;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly again: boolean;
}

/** The deliveries that have not started, oldest first; before them those that fail at once. */
export const waitingOf = (project: Pick<CoreProject, 'status'>): readonly Waiting[] =>
  eventsOf(project)
    .toSorted((one, other) => Number(other.overflows ?? false) - Number(one.overflows ?? false))
    .flatMap((event) =>
      event.deliveries.map(({ webhookId, deliveryId, again = false }) => ({ event, webhookId, deliveryId, again })),
    );

/** Adds an event, which fails when too many are waiting; null when even that limit is reached. */
export function withEvent(events: readonly WebhookEvent[], event: WebhookEvent): readonly WebhookEvent[] | null {
  const waiting = events.filter(({ overflows }) => overflows !== true);
  if (waiting.length < eventsWaiting) return [...events, event];
  return events.length - waiting.length < eventsOverflowing ? [...events, { ...event, overflows: true }] : null;
}

/** The waiting deliveries that fit into the list: entries in progress are never dropped. */
export const beginning = (project: Pick<CoreProject, 'status'>): readonly string[] =>
  waitingOf(project)
    .slice(0, Math.max(deliveriesKept - deliveriesOf(project).filter(isUnderWay).length, 0))
    .map(({ deliveryId }) => deliveryId);

/** Adds a delivery to the list; a full list drops the oldest ended one. */
export function withDelivery(list: readonly WebhookDelivery[], delivery: WebhookDelivery): readonly WebhookDelivery[] {
  const pushedOut = list.length < deliveriesKept ? undefined : list.findLast((one) => !isUnderWay(one));
  return [delivery, ...list.filter((one) => one !== pushedOut)];
}

/** Removes a delivery that has started, or never will, from the waiting events. */
export const withoutWaiting = (project: Pick<CoreProject, 'status'>, deliveryId: string): readonly WebhookEvent[] =>
  eventsOf(project).map((event) =>
    event.deliveries.some((one) => one.deliveryId === deliveryId)
      ? { ...event, deliveries: event.deliveries.filter((one) => one.deliveryId !== deliveryId) }
      : event,
  );

/** The events still needed: those with unstarted deliveries, and those referenced by the list. */
export function eventsKept(status: Status): readonly WebhookEvent[] {
  const named = new Set(status.webhookDeliveries?.map(({ eventId }) => eventId));
  return (status.webhookEvents ?? []).filter(
    ({ id, deliveries, overflows }) => deliveries.length > 0 || (named.has(id) && overflows !== true),
  );
}

const waits = [0, deliveryLimits.firstWaitMs, deliveryLimits.secondWaitMs] as const;

/**
 * Whether the wait after an attempt is not over. An end further ahead than the wait means that the clock was set back.
 */
export const waitsAt = (now: number, endedAt: number | null, waitMs: number): boolean =>
  endedAt !== null && Math.abs(now - endedAt) < waitMs;

/** Whether the next attempt of a delivery is due, given a free slot. */
export const isDue = ({ sentAt, endedAt, attempts = 0 }: WebhookDelivery, now: number): boolean =>
  sentAt === undefined && !waitsAt(now, endedAt === undefined ? null : msOf(endedAt), waits[attempts] ?? 0);

/** When the next attempt of a delivery is due; null when none follows, or one is in progress. */
export function nextAttemptMs({ durationMillis, sentAt, endedAt, attempts = 0 }: WebhookDelivery): number | null {
  if (durationMillis !== undefined || sentAt !== undefined || endedAt === undefined) return null;
  return msOf(endedAt) + (waits[attempts] ?? 0);
}

/** The result of a requested delivery: the new events, or a refusal. */
export type Delivering =
  | { readonly is: 'asked'; readonly webhookEvents: readonly WebhookEvent[] }
  | { readonly is: 'refused'; readonly says: string };

const refused = (message: string): Delivering => ({ is: 'refused', says: message });

/** A test waits for its delivery like any other event. */
export function tested(project: Pick<CoreProject, 'status'>, event: WebhookEvent): Delivering {
  const events = eventsOf(project);
  const entered = events.length < eventsWaiting ? withEvent(events, event) : null;
  return entered === null ? refused(tooManyWaiting) : { is: 'asked', webhookEvents: entered };
}

/** Redelivers an event as a new delivery, regardless of the webhook's current settings. */
export function redelivered(
  project: Pick<CoreProject, 'status'>,
  delivery: WebhookDelivery,
  deliveryId: string,
): Delivering {
  if (delivery.durationMillis === undefined) return refused('the delivery is still under way');
  const events = eventsOf(project);
  if (!events.some(({ id }) => id === delivery.eventId)) return refused('the event of the delivery is kept no longer');
  const once = { webhookId: delivery.webhookId, deliveryId, again: true };
  return {
    is: 'asked',
    webhookEvents: events.map((event) =>
      event.id === delivery.eventId ? { ...event, deliveries: [...event.deliveries, once] } : event,
    ),
  };
}
