import type { Move } from '../../check/subject.ts';
import { undisturbedMoves, deletion, deployMove, gateMove, isAlive, retryMoves } from '../provision/moves.ts';
import type { World } from './world.ts';

const inService = (world: World) => isAlive(world) && (world.state === 'Provisioning' || world.state === 'Ready');

/** What the cloud, the cluster, the project and people do to an object store. */
export const moves: readonly Move<World>[] = [
  {
    name: 'the key opens the bucket, or the pod runs',
    undisturbed: true,
    on: (world) => (world.works === 'soon' || world.works === 'refused' ? [{ ...world, works: 'yes' }] : []),
  },
  ...undisturbedMoves(inService),
  {
    name: 'the last bucket goes from the server',
    undisturbed: true,
    on: (world) => (world.used ? [{ ...world, used: false }] : []),
  },
  {
    name: 'a bucket is made on the server',
    on: (world) =>
      world.mode === 'Server' && world.state === 'Ready' && isAlive(world) && !world.used
        ? [{ ...world, used: true }]
        : [],
  },
  {
    name: 'something stands in the way',
    on: (world) =>
      inService(world) && world.trouble === 'none' && world.retry === 'clean' && world.mode === 'Bucket'
        ? (['project', 'server', 'moved'] as const).map((trouble) => ({ ...world, trouble }))
        : [],
  },
  {
    name: 'the cloud refuses, or the pod ends',
    on: (world) =>
      inService(world) && world.retry === 'clean' && (world.works === 'yes' || world.works === 'soon')
        ? [{ ...world, works: world.mode === 'Bucket' ? 'refused' : 'soon' }]
        : [],
  },
  {
    name: 'the Secret of the environment is deleted',
    on: (world) => (world.state === 'Ready' && inService(world) && world.current ? [{ ...world, current: false }] : []),
  },
  gateMove(),
  deployMove(),
  ...retryMoves(inService),
  deletion(),
];
