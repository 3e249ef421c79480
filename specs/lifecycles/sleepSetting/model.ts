import type { SleepSettingState } from '../../../machines/names.ts';
import { type Absence, byState, decide, requeueAfterMs } from '../../../rules/engine.ts';
import { sleepSettingEvents } from '../../../rules/sleepSetting/events.ts';
import type { SleepAnswer, SleepSettingFacts } from '../../../rules/sleepSetting/facts.ts';
import type { Model, Move } from '../../check/subject.ts';

type State = SleepSettingState | Absence | '(deleted)';
type Cluster = 'asked' | 'canSleep' | 'cannotSleep' | 'serviceDeleted' | 'apiDown';

interface World {
  readonly state: State;
  readonly wanted: SleepSettingFacts['wanted'];
  readonly setting: SleepSettingFacts['setting'];
  readonly now: number;
  readonly savedAt: number | null;
  readonly cluster: Cluster;
  readonly exit: number | null;
}

const answers: Readonly<Record<Cluster, SleepAnswer>> = {
  asked: { is: 'found', active: null, message: '' },
  canSleep: { is: 'found', active: true, message: '' },
  cannotSleep: { is: 'found', active: false, message: 'the service has no public host' },
  serviceDeleted: { is: 'refused', code: 404, why: 'service "shop" does not exist' },
  apiDown: { is: 'silent' },
};

const factsOf = ({ now, wanted, setting, savedAt, cluster }: World): SleepSettingFacts => ({
  now,
  app: 'shop',
  wanted,
  setting,
  savedAt,
  answer: answers[cluster],
});

const rules = byState(sleepSettingEvents);

/** The next check that the command itself announces. */
function nextLook(world: World): number | null {
  const facts = factsOf(world);
  const decision = decide(rules, 'Saved', facts);
  const look = decision.is === 'event' ? decision.rule.look : undefined;
  return look === undefined ? null : world.now + requeueAfterMs(look, facts, world.now);
}

const moves: readonly Move<World>[] = [
  {
    name: 'time passes to the next look',
    undisturbed: true,
    on: (world) => {
      const at = world.state === 'Saved' ? nextLook(world) : null;
      return at === null ? [] : [{ ...world, now: at }];
    },
  },
  {
    name: 'a read takes a moment',
    on: (world) => (world.state === 'Saved' && world.now === 0 ? [{ ...world, now: 300 }] : []),
  },
  {
    name: 'the cluster answers',
    on: (world) =>
      world.cluster === 'asked' || world.cluster === 'apiDown'
        ? (['canSleep', 'cannotSleep', 'serviceDeleted'] as const).map((cluster) => ({ ...world, cluster }))
        : [],
  },
  { name: 'the API goes down', on: (world) => (world.cluster === 'asked' ? [{ ...world, cluster: 'apiDown' }] : []) },
];

const exits = (code: number) => (world: World) => ({ ...world, exit: world.exit ?? code });
const isUnsaved = ({ wanted, setting }: World) =>
  setting.is === 'refused' || wanted.is === 'alwaysOn' || wanted.ms < 30_000 || wanted.ms > 86_400_000;

const start: World = {
  state: '(none)',
  wanted: { is: 'sleepAfter', ms: 600_000 },
  setting: { is: 'saved' },
  now: 0,
  savedAt: null,
  cluster: 'asked',
  exit: null,
};

/** One command, and the cluster that it requests from. */
export const model: Model<World, SleepSettingFacts, SleepSettingState> = {
  start: [
    start,
    { ...start, wanted: { is: 'sleepAfter', ms: 29_000 } },
    { ...start, wanted: { is: 'alwaysOn' } },
    { ...start, setting: { is: 'refused', why: 'the service has no public host' } },
  ],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state }),
  facts: factsOf,
  does: {
    recordSaved: (world) => ({ ...world, savedAt: world.now }),
    exitSleeps: exits(0),
    exitStaysRunning: exits(1),
    exitRefused: exits(3),
    exitUnanswered: exits(1),
  },
  moves,
  within: ({ now }) => now <= 60_000,
  invariants: {
    answeredInTime: { always: ({ state, now, savedAt }) => state !== 'Saved' || now <= (savedAt ?? 0) + 10_000 },
    commandEnds: { eventually: (world) => (world.state === '(none)' ? isUnsaved(world) : world.state !== 'Saved') },
    sleepsOnlyWhenActive: { always: ({ state, cluster }) => state !== 'Sleeps' || cluster === 'canSleep' },
    staysRunningOnlyWhenTold: { always: ({ state, cluster }) => state !== 'StaysRunning' || cluster === 'cannotSleep' },
    refusedNeverWaits: { never: (world) => world.state !== '(none)' && isUnsaved(world) },
    exitTellsEnd: {
      always: ({ state, exit }) => {
        if (state === 'Saved' || state === '(none)') return exit === null;
        return state === 'Sleeps' ? exit === 0 : exit === 1 || exit === 3;
      },
    },
  },
};
