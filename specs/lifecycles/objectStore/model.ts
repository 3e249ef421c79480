import type { ObjectStoreState } from '../../../machines/names.ts';
import type { ObjectStoreFacts } from '../../../rules/objectStore/facts.ts';
import type { Model } from '../../check/subject.ts';
import { afterPass } from '../provision/moves.ts';
import { moves } from './moves.ts';
import { factsOf, first, retried, type World } from './world.ts';

const same = (world: World) => world;

/** Makes what is missing, and looks whether it works, unless something stands in the way. */
function reconciled(world: World): World {
  if (world.trouble !== 'none') return world;
  const works = world.works === 'not' ? 'soon' : world.works;
  if (world.mode === 'Server') return { ...world, made: true, works, current: true };
  const seen = ({ soon: 'waiting', yes: 'working', refused: 'failing' } as const)[works];
  const made = world.made || works !== 'refused';
  return { ...world, made, works, seen, current: world.current || seen === 'working' };
}

/** A server that is used keeps everything; a bucket that somebody named is left to them. */
function nothingLeft(world: World): World {
  if (world.mode === 'Server' && world.used) return world;
  return { ...world, made: world.named, works: 'not', current: false, gone: true };
}

/** One object store among people who deploy, withdraw and delete it, and a cloud that comes and goes. */
export const model: Model<World, ObjectStoreFacts, ObjectStoreState> = {
  start: [first, { ...first, open: false }, { ...first, named: true, made: true }, { ...first, mode: 'Server' }],
  state: ({ state }) => state,
  enter: (world, state) => afterPass(world, state, retried(world)),
  facts: factsOf,
  does: { startAttempt: same, succeedAttempt: same, failAttempt: same, recordFailure: same },
  ensures: {
    broughtAbout: reconciled,
    noServer: (world) => (world.mode === 'Server' && world.works !== 'not' ? { ...world, works: 'not' } : world),
    nothingLeft,
  },
  moves,
  within: ({ state }) => state !== '(deleted)',
  invariants: {
    readyOpens: {
      alwaysStep: (before, after, step) =>
        !(step.startsWith('pass') && before.state === 'Provisioning' && after.state === 'Ready') ||
        (before.current && (before.mode === 'Bucket' ? before.seen === 'working' : before.works === 'yes')),
    },
    nothingMadeOnceGivenUp: {
      alwaysStep: (before, after, step) =>
        !(step.startsWith('pass') && after.state === 'ProvisionFailed') ||
        (after.made === before.made && after.current === before.current && after.works === before.works),
    },
    usedServerStays: {
      alwaysStep: (before, after, step) => !(step.startsWith('pass') && before.used) || after.state !== '(deleted)',
    },
    goneLeavesNothing: {
      always: ({ state, made, named, current }) => state !== '(deleted)' || (!current && (!made || named)),
    },
    settles: {
      eventually: ({ state, open, deleting }) =>
        deleting || !open || (['Ready', 'ProvisionFailed'] as readonly string[]).includes(state),
    },
    deletionEnds: { eventually: ({ state, deleting }) => !deleting || state === '(deleted)' },
  },
};
