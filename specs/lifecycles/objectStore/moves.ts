import type { Move } from '../../check/subject.ts';
import type { World } from './world.ts';

const noTrouble = { trouble: 'none', retry: 'clean', hurried: false, again: 'nothing' } as const;
const isAlive = ({ state, deleting }: World) => !deleting && state !== '(none)' && state !== '(deleted)';
const inService = (world: World) => isAlive(world) && (world.state === 'Provisioning' || world.state === 'Ready');

/** What the cloud, the cluster, the project and people do to an object store. */
export const moves: readonly Move<World>[] = [
  {
    name: 'the key opens the bucket, or the pod runs',
    calm: true,
    on: (world) => (world.works === 'soon' || world.works === 'refused' ? [{ ...world, works: 'yes' }] : []),
  },
  {
    name: 'what stood in the way is gone',
    calm: true,
    on: (world) => (inService(world) && world.trouble !== 'none' ? [{ ...world, trouble: 'none' }] : []),
  },
  {
    name: 'three minutes pass',
    calm: true,
    on: (world) => (world.retry === 'counting' ? [{ ...world, retry: 'threeMinutes', hurried: false }] : []),
  },
  {
    name: 'half a minute passes',
    calm: true,
    on: (world) => (world.hurried ? [{ ...world, hurried: false }] : []),
  },
  {
    name: 'the last bucket goes from the server',
    calm: true,
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
  {
    name: 'the gate is opened or closed',
    on: (world) => (isAlive(world) ? [{ ...world, open: !world.open }] : []),
  },
  {
    name: 'it is deployed again, or the spec of what was given up changes',
    on: (world) => {
      if (!isAlive(world) || !world.open || world.again !== 'nothing') return [];
      const deployed: World = { ...world, again: 'deploy' };
      return world.retry === 'over' ? [deployed, { ...world, again: 'spec' }] : [deployed];
    },
  },
  {
    name: 'it is given up before it was provisioned',
    on: (world) => (inService(world) && world.retry === 'clean' ? [{ ...world, retry: 'over' }] : []),
  },
  {
    name: 'Retry is pressed, and answered elsewhere',
    on: (world) => (isAlive(world) && world.retry === 'over' ? [{ ...world, ...noTrouble }] : []),
  },
  {
    name: 'it is deleted',
    on: (world) => (isAlive(world) ? [{ ...world, ...noTrouble, deleting: true }] : []),
  },
];
