import type { CoreProject, Webhook, WebhookDelivery } from '../../crds/coreProject.ts';
import { webhookSecretOf } from '../../rules/project/webhooks.ts';
import { isoTime } from '../../rules/time.ts';
import { serviceIn } from '../../rules/webhookDelivery/event.ts';
import { eventsOf, nextAttemptMs } from '../../rules/webhookDelivery/waiting.ts';
import { deliveryState } from '../../rules/webhookDelivery/state.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import type { DeliveryItem, WebhookItem } from '../routes/projectWebhooks/shapes.ts';

export function webhookView(project: CoreProject, webhook: Webhook, reader: CacheReader): WebhookItem {
  const { id, url, events = [], disabled } = webhook;
  const known = reader.get(secrets, webhookSecretOf(project.metadata.name));
  return { id, url, events, disabled, signed: secretText(known, id) !== '' };
}

export function deliveryView(project: CoreProject, delivery: WebhookDelivery): DeliveryItem {
  const { deliveryId, event, statusCode = null, error = '', attempts = 0, durationMillis = null, time } = delivery;
  const next = nextAttemptMs(delivery);
  const about = eventsOf(project).find(({ id }) => id === delivery.eventId);
  const service = about ? serviceIn(about) : { name: '', environment: '' };
  return {
    deliveryId,
    event,
    service: service.name,
    environment: service.environment,
    state: deliveryState(delivery),
    statusCode,
    error,
    attempts,
    durationMillis,
    time,
    nextAttempt: next === null ? null : isoTime(next),
    canRepeat: durationMillis !== null && about !== undefined,
  };
}
