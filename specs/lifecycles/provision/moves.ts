import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import type { Move } from '../../check/subject.ts';
import { noRow, type Row, rowAfter } from './row.ts';

/** What the worlds of everything that is deployed have in common. */
interface Provisioned extends Row {
  readonly state: string;
  readonly open: boolean;
  readonly deleting: boolean;
  readonly trouble: string;
}

/** Nothing in the way, and no failure counted. */
export const noTrouble = { trouble: 'none', ...noRow } as const;

/** Whether it was created, and nobody deleted it. */
export const isAlive = ({ state, deleting }: Pick<Provisioned, 'state' | 'deleting'>): boolean =>
  !deleting && state !== '(none)' && state !== '(deleted)';

/** The world after a pass in which the counting lifecycle came to this; what was given up is not processed. */
export const afterPass = <World extends Provisioned>(
  world: World,
  state: World['state'],
  retried: RetrySeen,
): World => ({
  ...world,
  ...rowAfter(world, retried),
  ...(state === 'ProvisionFailed' ? { trouble: 'none' } : {}),
  state,
});

/** The moves that time makes, and those that remove what stood in the way. */
export const undisturbedMoves = <World extends Provisioned>(
  inService: (world: World) => boolean,
): readonly Move<World>[] => [
  {
    name: 'what stood in the way is gone',
    undisturbed: true,
    on: (world) => (inService(world) && world.trouble !== 'none' ? [{ ...world, trouble: 'none' }] : []),
  },
  {
    name: 'three minutes pass',
    undisturbed: true,
    on: (world) => (world.retry === 'counting' ? [{ ...world, retry: 'threeMinutes', hurried: false }] : []),
  },
  {
    name: 'half a minute passes',
    undisturbed: true,
    on: (world) => (world.hurried ? [{ ...world, hurried: false }] : []),
  },
];

/** What people do to something deployed that failed. */
export const retryMoves = <World extends Provisioned>(inService: (world: World) => boolean): readonly Move<World>[] => [
  {
    name: 'it is given up before it was provisioned',
    on: (world) => (inService(world) && world.retry === 'clean' ? [{ ...world, retry: 'over' }] : []),
  },
  {
    name: 'Retry is pressed, and answered elsewhere',
    on: (world) => (isAlive(world) && world.retry === 'over' ? [{ ...world, ...noTrouble }] : []),
  },
];

/** The gate of something deployed. */
export const gateMove = <World extends Provisioned>(): Move<World> => ({
  name: 'the gate is opened or closed',
  on: (world) => (isAlive(world) ? [{ ...world, open: !world.open }] : []),
});

/** A deploy, which restarts what was given up as a changed spec does. */
export const deployMove = <World extends Provisioned>(): Move<World> => ({
  name: 'it is deployed again, or the spec of what was given up changes',
  on: (world) => {
    if (!isAlive(world) || !world.open || world.again !== 'nothing') return [];
    const deployed: World = { ...world, again: 'deploy' };
    return world.retry === 'over' ? [deployed, { ...world, again: 'spec' }] : [deployed];
  },
});

export const deletion = <World extends Provisioned>(): Move<World> => ({
  name: 'it is deleted',
  on: (world) => (isAlive(world) ? [{ ...world, ...noTrouble, deleting: true }] : []),
});
