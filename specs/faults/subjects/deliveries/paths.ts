import { Effect } from 'effect';
import type { ReceiverAnswer } from '../../../../rules/webhookDelivery/facts.ts';
import type { World } from '../../../support/world.ts';
import { later } from '../database/engines.ts';
import type { Act, Path } from '../subject.ts';
import { apps } from '../../../../runtime/services/cluster/kinds.ts';
import { appIn, deliveriesIn, isAnnounced, putAll, putBuilt, putDeployed } from './objects.ts';

const answered = (code: number): ReceiverAnswer => ({ is: 'answered', code });

/** A receiver that answers so, one after the other, and the last one for ever. */
const answering =
  (...codes: readonly number[]) =>
  (world: World) => {
    let at = 0;
    world.receivers.answer = () => Effect.sync(() => answered(codes[Math.min(at++, codes.length - 1)] ?? 200));
  };

/** A receiver that never answers: the limit of a request ends it. */
const hanging = (world: World) => {
  world.receivers.answer = () =>
    Effect.as(Effect.sleep(10_000), { is: 'networkError', why: 'receiver did not answer within 10 s' });
};

const areOver = (world: World, count: number) => {
  const deliveries = deliveriesIn(world);
  return deliveries.length === count && deliveries.every(({ durationMillis }) => durationMillis !== undefined);
};
const isOver = (world: World) => areOver(world, 1);

const once = (text: string, edit: (world: World) => void): Act => ({ text, when: isOver, edit });
const isReady = once('the service is ready', (world) => putDeployed(world, 'True'));
const isGivenUp = once('the service is given up', (world) => putDeployed(world, 'False', 'ProvisionFailed'));
const isBuilt = once('its build succeeds', (world) => putBuilt(world, 'Succeeded'));
const isNotBuilt = once('its build fails', (world) => putBuilt(world, 'Failed'));
/** The service goes a second after nothing of its deploy is left to announce. */
const goes = later(
  (world) => areOver(world, 2) && appIn(world) !== undefined && !isAnnounced(world),
  'the service is deleted',
  ({ cluster }) => cluster.drop(apps, 'web'),
);
const leaving = 'a deploy that succeeds, and its service goes';

const told: readonly (readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]])[] = [
  ['a deploy that succeeds', 'Delivered', answering(200), isReady],
  [leaving, 'Delivered', answering(200), isReady],
  ['a deploy whose build succeeds', 'Delivered', answering(200), isBuilt],
  ['a deploy whose build fails', 'Delivered', answering(200), isNotBuilt],
  ['a deploy that is given up', 'Delivered', answering(204), isGivenUp],
  ['a receiver that fails twice', 'Delivered', answering(503, 429, 200), isReady],
  ['a receiver that fails', 'Failed', answering(500)],
  ['a receiver that refuses', 'Failed', answering(410)],
  ['a receiver that hangs', 'Failed', hanging],
];

/** The lives of a deploy's deliveries. */
export const deliveryPaths: readonly Path[] = told.map(([name, end, prepare, ...script]) => ({
  name,
  given: (world) => {
    prepare(world);
    putAll(world);
    if (name.includes('build')) putBuilt(world, 'Running');
  },
  script,
  actors: (world) => (name === leaving ? [goes(world)] : []),
  // A process that dies takes an attempt with it, and so may a receiver that fails get the better of another.
  ends: end === 'Delivered' ? ['Delivered', 'Failed'] : [end],
  mayDiffer: () => true,
}));
