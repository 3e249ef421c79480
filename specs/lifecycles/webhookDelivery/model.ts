import type { WebhookDeliveryState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { ReceiverAnswer, WebhookDeliveryFacts } from '../../../rules/webhookDelivery/facts.ts';
import type { Model, Move } from '../../check/subject.ts';

type State = WebhookDeliveryState | Absence | '(deleted)';

/** One event and one webhook, and what a receiver would remember of them. */
interface World {
  readonly state: State;
  readonly now: number;
  readonly type: WebhookDeliveryFacts['type'];
  readonly announced: boolean;
  readonly webhook: WebhookDeliveryFacts['webhook'];
  readonly chosen: readonly string[];
  readonly overflows: boolean;
  readonly endedAt: number | null;
  readonly sentAt: number | null;
  readonly answer: ReceiverAnswer | null;
  readonly underWay: number;
  /** The ids generated so far; the newest is the delivery's. */
  readonly drawn: number;
  /** The id of each request, and its delay after the previous response. */
  readonly sent: readonly { readonly id: number; readonly afterMs: number | null }[];
  readonly refused: boolean;
  readonly sentAfterRefusal: boolean;
  readonly recorded: number;
}

const first: World = {
  state: '(none)',
  now: 0,
  type: 'deployment.started',
  announced: true,
  webhook: 'on',
  chosen: [],
  overflows: false,
  endedAt: null,
  sentAt: null,
  answer: null,
  underWay: 0,
  drawn: 0,
  sent: [],
  refused: false,
  sentAfterRefusal: false,
  recorded: 0,
};

const replies: readonly ReceiverAnswer[] = [
  { is: 'answered', code: 200 },
  { is: 'answered', code: 302 },
  { is: 'answered', code: 503 },
  { is: 'refused', refusal: { by: 'connection', ip: '10.0.0.1' } },
];

const ended = ({ state }: World) => state === 'Delivered' || state === 'Failed' || state === '(none)';
const underWay = (world: World) => world.sentAt !== null && world.answer === null;

const moves: readonly Move<World>[] = [
  {
    name: 'the receiver answers',
    on: (world) =>
      underWay(world)
        ? replies.map((answer) => ({ ...world, answer, refused: world.refused || answer.is === 'refused' }))
        : [],
  },
  {
    name: 'the request runs out of time',
    undisturbed: true,
    on: (world) => {
      const at = (world.sentAt ?? 0) + 10_000;
      return underWay(world) && world.now < at ? [{ ...world, now: at }] : [];
    },
  },
  {
    name: 'a second passes',
    undisturbed: true,
    on: (world) =>
      world.endedAt !== null && world.now < world.endedAt + 6_000 ? [{ ...world, now: world.now + 1_000 }] : [],
  },
  {
    name: 'another delivery ends',
    undisturbed: true,
    on: (world) => (world.underWay > 0 ? [{ ...world, underWay: 0 }] : []),
  },
  {
    name: 'other deliveries begin',
    on: (world) => (world.sentAt === null && !ended(world) ? [{ ...world, underWay: 8 }] : []),
  },
  {
    name: 'the webhook is disabled',
    on: (world) => (world.webhook === 'on' ? [{ ...world, webhook: 'disabled' }] : []),
  },
];

const free = (world: World): World => ({ ...world, sentAt: null, answer: null });

/** A delivery, its receiver, and the other deliveries of the process. */
export const model: Model<World, WebhookDeliveryFacts, WebhookDeliveryState> = {
  start: [
    first,
    { ...first, overflows: true },
    { ...first, chosen: ['deployment.failed'] },
    { ...first, type: 'deployment.failed', chosen: ['deployment.failed'] },
    { ...first, type: 'deployment.succeeded', announced: false },
    { ...first, type: 'test', chosen: ['deployment.failed'] },
  ],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state }),
  facts: ({ now, type, announced, webhook, chosen, overflows, endedAt, sentAt, answer, underWay: others }) => ({
    now,
    type,
    announced,
    webhook,
    chosen,
    overflows,
    endedAt,
    sentAt,
    answer,
    underWay: others,
  }),
  does: {
    recordOverflow: (world) => ({ ...world, recorded: world.recorded + 1 }),
    drawEventId: (world) => ({ ...world, drawn: world.drawn + 1 }),
    claimAttempt: (world) => ({ ...world, sentAt: world.now }),
    send: (world) => ({
      ...world,
      sent: [...world.sent, { id: world.drawn, afterMs: world.endedAt === null ? null : world.now - world.endedAt }],
      sentAfterRefusal: world.refused,
    }),
    recordAttempt: (world) => ({ ...free(world), endedAt: world.now }),
    recordDelivery: (world) => ({ ...free(world), endedAt: null, underWay: 0, recorded: world.recorded + 1 }),
  },
  moves,
  within: ({ now }) => now <= 45_000,
  invariants: {
    atMostThreeAttempts: { always: ({ sent }) => sent.length <= 3 },
    sameEventId: { always: ({ sent }) => sent.every(({ id }) => id === 1) },
    refusedNeverRetried: { never: ({ sentAfterRefusal }) => sentAfterRefusal },
    testSentOnce: { always: ({ type, sent }) => type !== 'test' || sent.length <= 1 },
    waitsKept: {
      always: ({ sent: [, second, third] }) =>
        (second?.afterMs ?? 1_000) >= 1_000 && (third?.afterMs ?? 5_000) >= 5_000,
    },
    recordedOnce: {
      always: ({ state, recorded }) => recorded === (state === 'Delivered' || state === 'Failed' ? 1 : 0),
    },
    deliveryEnds: { eventually: ended },
  },
};
