import { Optional as optional, Type } from '@sinclair/typebox';
import { webhookEvents } from '../../../crds/coreProject.ts';
import { type ReadonlyStatic, oneOf, orNull, text, time } from '../../openapi/kit.ts';

const id = text('Of 8 hex digits.');
const url = text('Address of the receiver, http or https, of 8 to 2048 characters.');
const events = Type.Array(oneOf(...webhookEvents), { description: 'None means every event, present and future.' });
const disabled = Type.Boolean({ description: 'Nothing is delivered.' });
const secret = text('Signs the deliveries; no other response contains it.');

export const webhookItem = Type.Object(
  { id, url, events, disabled, signed: Type.Boolean({ description: 'Whether it has a signing secret.' }) },
  { title: 'Webhook' },
);
/** GET /api/v1/projects/{project}/webhooks */
export type WebhookItem = ReadonlyStatic<typeof webhookItem>;
export const webhookRequest = Type.Object({ url, events: optional(events), disabled: optional(disabled) });
export const webhookChange = Type.Object({
  url: optional(url),
  events: optional(events),
  disabled: optional(disabled),
});
export const webhookCreated = Type.Object({ id, secret }, { title: 'WebhookCreated' });
/** POST /api/v1/projects/{project}/webhooks, …/{webhook}/rotate: the only responses with the secret. */
export type WebhookCreated = ReadonlyStatic<typeof webhookCreated>;

export const queuedDelivery = Type.Object({ deliveryId: text('Of the new delivery.') }, { title: 'DeliveryAsked' });
/** POST …/{webhook}/test, …/deliveries/{delivery}/redeliver */
export type QueuedDelivery = ReadonlyStatic<typeof queuedDelivery>;
export const deliveryItem = Type.Object(
  {
    deliveryId: text(),
    event: text(),
    service: text('Whose deploy it tells of; empty for a test.'),
    environment: text('Of the service.'),
    state: oneOf('FirstAttempt', 'SecondAttempt', 'ThirdAttempt', 'Delivered', 'Failed'),
    statusCode: orNull(Type.Integer({ description: 'What the receiver answered last.' })),
    error: text('Why the last attempt failed; empty where it did not.'),
    attempts: Type.Integer(),
    durationMillis: orNull(Type.Integer()),
    time: time(),
    nextAttempt: orNull(time('When it is tried again.')),
    canRepeat: Type.Boolean({ description: 'Whether the event is kept, so that it can be delivered again.' }),
  },
  { title: 'WebhookDelivery' },
);
/** GET /api/v1/projects/{project}/webhooks/{webhook}/deliveries, newest first. */
export type DeliveryItem = ReadonlyStatic<typeof deliveryItem>;
