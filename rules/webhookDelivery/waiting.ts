import type { CoreProject, ProjectStatus, WebhookDelivery, WebhookEvent } from '../../crds/coreProject.ts';

import { msOf } from '../time.ts';
import { deliveryLimits } from './facts.ts';

/** The newest deliveries that a project keeps, and the most events that wait for theirs (document 001, Limits). */
export const deliveriesKept = 20;
export const eventsWaiting = 100;

type Status = Pick<ProjectStatus, 'webhookDeliveries' | 'webhookEvents'>;

const isUnderWay = ({ durationMillis }: WebhookDelivery): boolean => durationMillis === undefined;

export const deliveriesOf = ({ status }: Pick<CoreProject, 'status'>): readonly WebhookDelivery[] =>
  status?.webhookDeliveries ?? [];
export const eventsOf = ({ status }: Pick<CoreProject, 'status'>): readonly WebhookEvent[] =>
  status?.webhookEvents ?? [];

/** A delivery that is still to begin, with its event. */
export interface Waiting {
  readonly event: WebhookEvent;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly again: boolean;
}

/** The deliveries that are still to begin, the oldest first. */
export const waitingOf = (project: Pick<CoreProject, 'status'>): readonly Waiting[] =>
  eventsOf(project).flatMap((event) =>
    event.deliveries.map(({ webhookId, deliveryId, again = false }) => ({ event, webhookId, deliveryId, again })),
  );

/** Those of them for which there is room: an entry that is under way is never pushed out of the list. */
export const beginning = (project: Pick<CoreProject, 'status'>): readonly string[] =>
  waitingOf(project)
    .slice(0, Math.max(deliveriesKept - deliveriesOf(project).filter(isUnderWay).length, 0))
    .map(({ deliveryId }) => deliveryId);

/** The list with a new delivery, without the oldest that has ended where it is full. */
export function withDelivery(list: readonly WebhookDelivery[], delivery: WebhookDelivery): readonly WebhookDelivery[] {
  const pushedOut = list.length < deliveriesKept ? undefined : list.findLast((one) => !isUnderWay(one));
  return [delivery, ...list.filter((one) => one !== pushedOut)];
}

/** The events without a delivery that has begun, or will not. */
export const withoutWaiting = (project: Pick<CoreProject, 'status'>, deliveryId: string): readonly WebhookEvent[] =>
  eventsOf(project).map((event) =>
    event.deliveries.some((one) => one.deliveryId === deliveryId)
      ? { ...event, deliveries: event.deliveries.filter((one) => one.deliveryId !== deliveryId) }
      : event,
  );

/** The events that are still needed: those with deliveries to begin, and those that a delivery of the list names. */
export function eventsKept(status: Status): readonly WebhookEvent[] {
  const named = new Set(status.webhookDeliveries?.map(({ eventId }) => eventId));
  return (status.webhookEvents ?? []).filter(({ id, deliveries }) => deliveries.length > 0 || named.has(id));
}

const waits = [0, deliveryLimits.firstWaitMs, deliveryLimits.secondWaitMs] as const;

/** Whether the next attempt of a delivery may be made, as soon as there is a place for it. */
export const isDue = ({ sentAt, endedAt, attempts = 0 }: WebhookDelivery, now: number): boolean =>
  sentAt === undefined && now >= (endedAt === undefined ? 0 : msOf(endedAt) + (waits[attempts] ?? 0));
