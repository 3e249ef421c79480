import type { WebhookDelivery } from '../../crds/coreProject.ts';
import type { WebhookDeliveryState } from '../../machines/names.ts';

const underWay = ['FirstAttempt', 'SecondAttempt', 'ThirdAttempt'] as const;

/** The state of a delivery's entry. */
export function deliveryState({ durationMillis, attempts = 0, error }: WebhookDelivery): WebhookDeliveryState {
  if (durationMillis !== undefined) return error === undefined ? 'Delivered' : 'Failed';
  return underWay[attempts] ?? 'ThirdAttempt';
}
