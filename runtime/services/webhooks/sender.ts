import { Clock, Effect } from 'effect';
import { webhookSecretOf } from '../../../rules/project/webhooks.ts';
import { deliveryLimits, type ReceiverAnswer } from '../../../rules/webhookDelivery/facts.ts';
import { headersOf } from '../../../rules/webhookDelivery/request.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { Receivers } from '../receivers.ts';
import { readSecret } from '../secret.ts';
import { secretText } from '../secretText.ts';
import { makeSlots } from './slots.ts';

/** One claimed attempt. */
interface Claimed {
  readonly project: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  /** The time of the claim, which identifies it. */
  readonly sentAt: string;
  readonly event: string;
  readonly url: string;
  readonly body: string;
}

/** Sends the attempts that passes of this process claimed; the response is a fact of the next pass. */
export interface Sender {
  /** The process name in claims: only this process starts their requests. */
  readonly name: string;
  /** The number of deliveries sent before one; all slots when it has none. */
  readonly ahead: (deliveryId: string) => number;
  readonly answerOf: (deliveryId: string, sentAt: string) => ReceiverAnswer | null;
  /** Sets the deliveries of a project that wait for a slot. */
  readonly ask: (project: string, waiting: readonly string[]) => Effect.Effect<void>;
  /** Starts a claimed attempt, once. */
  readonly start: (claimed: Claimed) => Effect.Effect<void, never, Cluster | Receivers>;
  /** Drops what is known of a project's other deliveries. */
  readonly forget: (project: string, known: ReadonlySet<string>) => void;
  /** Calls the listener with each project to requeue; returns the unsubscriber. */
  readonly onNews: (listener: (project: string) => void) => () => void;
}

interface Started {
  readonly project: string;
  readonly sentAt: string;
  readonly answer: ReceiverAnswer | null;
}

/** Only a direct read proves that there is no secret; without it, nothing is sent. */
const secretOf = ({ project, webhookId }: Claimed) =>
  Effect.map(readSecret(webhookSecretOf(project)), (secret) => secretText(secret, webhookId) || null);

/** Sends one attempt; every outcome is a response. */
const attempt = (claimed: Claimed): Effect.Effect<ReceiverAnswer, never, Cluster | Receivers> =>
  Effect.gen(function* () {
    const receivers = yield* Receivers;
    const secret = yield* secretOf(claimed);
    const { url, body } = claimed;
    const headers = headersOf({ ...claimed, secret, now: yield* Clock.currentTimeMillis });
    return yield* receivers.post({ url, headers, body, timeoutMs: deliveryLimits.requestMs });
  }).pipe(
    Effect.catch(() =>
      Effect.succeed<ReceiverAnswer>({ is: 'networkError', why: 'the signing secret could not be read' }),
    ),
  );

export function makeSender(name: string): Sender {
  const slots = makeSlots(deliveryLimits.concurrent);
  const started = new Map<string, Started>();
  const listeners = new Set<(project: string) => void>();

  const notify = (projects: readonly string[]) => {
    for (const project of projects) for (const listener of listeners) listener(project);
  };
  const ended = (claimed: Claimed, answer: ReceiverAnswer) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const { project, deliveryId, sentAt } = claimed;
      if (started.get(deliveryId)?.sentAt === sentAt) started.set(deliveryId, { project, sentAt, answer });
      notify([...new Set([...slots.free(deliveryId, now), project])]);
    });

  return {
    name,
    ahead: (deliveryId) => (slots.has(deliveryId) ? slots.taken() - 1 : deliveryLimits.concurrent),
    answerOf: (deliveryId, sentAt) => {
      const known = started.get(deliveryId);
      return known?.sentAt === sentAt ? known.answer : null;
    },
    ask: (project, waiting) => Effect.map(Clock.currentTimeMillis, (now) => notify(slots.ask(project, waiting, now))),
    start: (claimed) =>
      Effect.suspend(() => {
        const { project, deliveryId, sentAt } = claimed;
        if (started.get(deliveryId)?.sentAt === sentAt) return Effect.void;
        started.set(deliveryId, { project, sentAt, answer: null });
        slots.use(deliveryId);
        const sending = Effect.flatMap(attempt(claimed), (answer) => ended(claimed, answer));
        return Effect.asVoid(Effect.forkDetach(sending));
      }),
    forget: (project, known) => {
      for (const [deliveryId, one] of started)
        if (one.project === project && !known.has(deliveryId)) started.delete(deliveryId);
    },
    onNews: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
