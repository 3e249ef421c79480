import { Clock, Effect } from 'effect';
import { eachOf } from '../../../../contract/eachOf.ts';
import type { CoreProject, Webhook, WebhookDelivery } from '../../../../../crds/coreProject.ts';
import type { WebhookDeliveryEvent, WebhookDeliveryState } from '../../../../../machines/names.ts';
import { tables } from '../../../../../machines/tables.ts';
import { webhookDelivery as machine } from '../../../../../machines/webhookDelivery.ts';
import { byState } from '../../../../../rules/engine.ts';
import { isoTime, msOf } from '../../../../../rules/time.ts';
import { messageOf } from '../../../../../rules/verdict.ts';
import { serviceIn } from '../../../../../rules/webhookDelivery/event.ts';
import { webhookDeliveryEvents } from '../../../../../rules/webhookDelivery/events.ts';
import { deliveryLimits, type WebhookDeliveryFacts } from '../../../../../rules/webhookDelivery/facts.ts';
import { deliveryState } from '../../../../../rules/webhookDelivery/state.ts';
import { deliveryOutcome } from '../../../../../rules/webhookDelivery/outcome.ts';
import {
  beginning,
  deliveriesOf,
  eventsOf,
  isDue,
  waitingOf,
  withDelivery,
  withoutWaiting,
} from '../../../../../rules/webhookDelivery/waiting.ts';
import { type AnyEntries, entries, type Observing } from '../../../../contract/list.ts';
import type { Acting } from '../../../../contract/lifecycle.ts';
import type { Sender } from '../../../../services/webhooks/sender.ts';
import { done, type Ensure, type Ensured, type Ensuring, holds } from '../../../../contract/ensure.ts';

type Facts = WebhookDeliveryFacts;
type State = WebhookDeliveryState;

const webhookOf = ({ spec }: CoreProject, id: string): Webhook | undefined =>
  spec.webhooks?.find((webhook) => webhook.id === id);

function standingOf(webhook: Webhook | undefined): Facts['webhook'] {
  if (webhook === undefined) return 'removed';
  return webhook.disabled ? 'disabled' : 'on';
}

const ms = (time: string | undefined): number | null => (time === undefined ? null : msOf(time));

/** A delivery that has not started, by its key. */
const stillWaiting = (project: CoreProject, key: string) =>
  waitingOf(project).find(({ deliveryId }) => deliveryId === key);

type EventSeen = Pick<Facts, 'type' | 'announced' | 'webhook' | 'chosen' | 'overflows'>;

/** The facts of event and webhook of a started delivery. */
function begunSeen(project: CoreProject, { event, webhookId }: WebhookDelivery): EventSeen {
  const webhook = webhookOf(project, webhookId);
  const type = event as Facts['type'];
  return { type, announced: true, webhook: standingOf(webhook), chosen: webhook?.events ?? [], overflows: false };
}

/** The same for one that has not started. */
function waitingSeen(project: CoreProject, key: string): EventSeen {
  const { event, webhookId = '', again = false } = stillWaiting(project, key) ?? {};
  const webhook = webhookOf(project, webhookId);
  return {
    type: (event?.type ?? '') as Facts['type'],
    // Only announced deploys cause deliveries.
    announced: true,
    webhook: standingOf(webhook),
    chosen: again ? [] : (webhook?.events ?? []),
    overflows: event?.overflows ?? false,
  };
}

const observe =
  (sender: Sender) =>
  ({ object, key, entry, input: reconcileInput }: Observing<CoreProject, WebhookDelivery>): Facts => ({
    ...(entry ? begunSeen(object, entry) : waitingSeen(object, key)),
    now: reconcileInput.now,
    endedAt: ms(entry?.endedAt),
    sentAt: ms(entry?.sentAt),
    answer: entry?.sentAt === undefined ? null : sender.answerOf(key, entry.sentAt),
    underWay: sender.ahead(key),
  });

/** The fields of a new entry. */
function begun(project: CoreProject, key: string, at: string) {
  const { event, webhookId = '' } = stillWaiting(project, key) ?? {};
  return { webhookId, event: event?.type ?? '', eventId: event?.id ?? '', attempts: 0, time: at };
}

/** The fields of an entry after another attempt (or none) has ended. */
function attempted({ facts }: Acting<CoreProject, Facts>, attempts = 0) {
  const { text } = messageOf('Delivery', deliveryOutcome, facts);
  const verdict = deliveryOutcome.find(({ when }) => when(facts));
  return {
    attempts: attempts + (facts.sentAt === null ? 0 : 1),
    statusCode: facts.answer?.is === 'answered' ? facts.answer.code : null,
    error: verdict?.status === 'False' ? text : null,
    sentAt: null,
    sentBy: null,
    endedAt: isoTime(facts.now),
  };
}

/** Whether a delivery only waits for a slot, so that it is decided like the next one. */
const waitsForTurn = (sender: Sender, project: CoreProject, delivery: WebhookDelivery): boolean =>
  delivery.durationMillis === undefined &&
  delivery.sentAt === undefined &&
  delivery.endedAt === undefined &&
  sender.ahead(delivery.deliveryId) >= deliveryLimits.concurrent &&
  standingOf(webhookOf(project, delivery.webhookId)) === 'on';

/** The deliveries of a project's webhooks: each entry of its list is an instance of the machine. */
export const deliveriesWith = (sender: Sender): AnyEntries =>
  entries<CoreProject, WebhookDelivery, Facts, State, WebhookDeliveryEvent['type']>({
    name: 'webhookDelivery',
    machine,
    ...tables.webhookDelivery,
    rules: byState(webhookDeliveryEvents),
    list: 'webhookDeliveries',
    key: 'deliveryId',
    awaited: beginning,
    waitsAlike: (project, key) => {
      const waits = (one: WebhookDelivery) => waitsForTurn(sender, project, one);
      const mine = deliveriesOf(project).find(({ deliveryId }) => deliveryId === key);
      return mine !== undefined && waits(mine) && deliveriesOf(project).find(waits) !== mine;
    },
    answered: (project, key) => ({ webhookEvents: withoutWaiting(project, key) }),
    entered: withDelivery,
    columns({ webhookId, event, eventId, error = '' }, object) {
      const about = eventsOf(object).find(({ id }) => id === eventId);
      return { webhook: webhookId, event, service: about ? serviceIn(about).name : '', error };
    },
    read: deliveryState,
    write: () => ({}),
    observe: observe(sender),
    actions: {
      drawEventId: { patch: ({ object, at }, { key }) => begun(object, key, at) },
      recordOverflow: {
        patch: ({ object, at, text }, { key }) => ({
          ...begun(object, key, at),
          error: text,
          endedAt: at,
          durationMillis: 0,
        }),
      },
      claimAttempt: { patch: ({ facts }) => ({ sentAt: isoTime(facts.now), sentBy: sender.name }) },
      send: {},
      recordAttempt: { patch: (acting, { entry }) => attempted(acting, entry?.attempts) },
      recordDelivery: {
        patch: (acting, { entry }) => ({
          ...attempted(acting, entry?.attempts),
          durationMillis: Math.max(Math.round(acting.facts.now - msOf(entry?.time ?? acting.at)), 0),
        }),
      },
    },
    ensures: () => ({}),
  });

/**
 * Hands claimed deliveries to the sender, and requests slots for due ones. Requeues for deliveries that have not
 * started, because a pass does not see its own write.
 */
export const deliveriesSent = (sender: Sender): Ensure<CoreProject> => ({
  run: ({ object: project }: Ensuring<CoreProject>) =>
    Effect.gen(function* () {
      const { name } = project.metadata;
      const deliveries = deliveriesOf(project).filter(({ durationMillis }) => durationMillis === undefined);
      sender.forget(name, new Set(deliveries.map(({ deliveryId }) => deliveryId)));
      yield* eachOf(deliveries, (delivery) => started(sender, project, delivery));
      const now = yield* Clock.currentTimeMillis;
      const due = deliveries.filter((one) => isDue(one, now) && standingOf(webhookOf(project, one.webhookId)) === 'on');
      yield* sender.ask(
        name,
        due.map(({ deliveryId }) => deliveryId),
      );
      return (beginning(project).length > 0 ? done : holds) satisfies Ensured;
    }),
});

function started(sender: Sender, project: CoreProject, { sentAt, sentBy, ...delivery }: WebhookDelivery) {
  const { webhookId, deliveryId, event } = delivery;
  const url = webhookOf(project, webhookId)?.url;
  const body = eventsOf(project).find(({ id }) => id === delivery.eventId)?.body;
  if (sentAt === undefined || sentBy !== sender.name || url === undefined || body === undefined) return Effect.void;
  return sender.start({ project: project.metadata.name, webhookId, deliveryId, sentAt, event, url, body });
}
