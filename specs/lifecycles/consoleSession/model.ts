import type { ConsoleSessionState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { ConsoleSessionFacts } from '../../../rules/consoleSession/facts.ts';
import type { Model, Move } from '../../check/subject.ts';

type State = ConsoleSessionState | '(none)' | '(deleted)';

/** One session, the process that may hold its terminal, and what a witness remembers. */
interface World {
  readonly state: State;
  readonly now: number;
  readonly asked: 'create' | 'attach' | null;
  readonly target: 'fit' | 'unfit';
  readonly commandWords: number;
  readonly originMatches: boolean;
  readonly attachWaitedMs: number;
  readonly timeoutSeconds: number | null;
  readonly startedAt: number | null;
  readonly holder: 'alive' | 'dead';
  /** The number of terminals that the session records as held. */
  readonly held: number;
  /** The number of terminals that are really open. */
  readonly open: number;
  /** When the session should expire, counted by a witness from the moment it became active. */
  readonly endsAt: number | null;
  readonly openedLate: boolean;
}

const first: World = {
  state: '(none)',
  now: 0,
  asked: null,
  target: 'fit',
  commandWords: 1,
  originMatches: true,
  attachWaitedMs: 0,
  timeoutSeconds: null,
  startedAt: null,
  holder: 'alive',
  held: 0,
  open: 0,
  endsAt: null,
  openedLate: false,
};

const ended = ({ state }: World) => state === 'Expired' || state === 'Closed';

/** How long each of the requests below lets a session live, in ms, calculated by hand. */
const lasting = (timeoutSeconds: number | null) => (timeoutSeconds === 900 ? 900_000 : 300_000);

/** A session starts five seconds late, so that it matters what its limit counts from. */
const nextMoment = ({ now, endsAt }: World): number => {
  const moments = [5_000, 60_000, ...(endsAt === null ? [] : [endsAt - 1, endsAt, endsAt + 1])];
  return moments.toSorted((a, b) => a - b).find((moment) => moment > now) ?? now;
};

const moves: readonly Move<World>[] = [
  {
    name: 'time passes',
    undisturbed: true,
    on: (world) => {
      const now = nextMoment(world);
      return now === world.now || world.state === '(none)' ? [] : [{ ...world, now }];
    },
  },
  {
    name: 'a console is asked for',
    on: (world) =>
      world.state === '(none)' && world.asked === null
        ? [1, 9].map((commandWords) => ({ ...world, asked: 'create', commandWords }))
        : [],
  },
  {
    name: 'a terminal is asked for',
    on: (world) =>
      world.asked === null
        ? [
            { ...world, asked: 'attach', originMatches: true, attachWaitedMs: 0 },
            { ...world, asked: 'attach', originMatches: true, attachWaitedMs: 0, target: 'unfit' },
            { ...world, asked: 'attach', originMatches: true, attachWaitedMs: 10_000 },
            { ...world, asked: 'attach', originMatches: false, attachWaitedMs: 0 },
          ]
        : [],
  },
  {
    name: 'the process with the socket dies',
    on: (world) =>
      world.open > 0 && world.holder === 'alive' ? [{ ...world, holder: 'dead', open: world.open - 1 }] : [],
  },
];

/** A session and its terminals; the caller is an admin whose pod runs. */
export const model: Model<World, ConsoleSessionFacts, ConsoleSessionState> = {
  start: [null, 0, 900, 901].map((timeoutSeconds) => ({ ...first, timeoutSeconds })),
  state: ({ state }) => state,
  enter: (world, state) => ({
    ...world,
    state,
    asked: null,
    target: 'fit',
    commandWords: 1,
    originMatches: true,
    attachWaitedMs: 0,
  }),
  facts: ({ now, asked, commandWords, originMatches, attachWaitedMs, timeoutSeconds, startedAt, holder, target }) => ({
    now,
    asked: asked === null ? null : { is: asked, holder: 'a process', actor: 'somebody' },
    caller: 'admin',
    byCookie: true,
    originMatches,
    targetNamed: true,
    pod: 'running',
    commandWords,
    attachWaitedMs,
    timeoutSeconds,
    startedAt,
    isHolder: true,
    holder: known(holder),
    target: known(target),
  }),
  does: {
    recordStart: (world) => ({
      ...world,
      startedAt: world.now,
      endsAt: world.endsAt ?? world.now + lasting(world.timeoutSeconds),
    }),
    holdTerminal: (world) => ({ ...world, holder: 'alive', held: world.held + 1 }),
    releaseTerminal: (world) => ({ ...world, holder: 'alive', held: 0 }),
    logOpened: (world) => world,
    logClosed: (world) => world,
    expire: (world) => world,
    close: (world) => ({ ...world, held: 0, open: 0 }),
    closeStream: (world) => ({ ...world, held: 0, open: 0 }),
  },
  ensures: {
    noTerminal: (world) => ({ ...world, open: 0 }),
    /** The process that holds the terminal opens it once that is recorded. */
    terminalOpen: (world) =>
      world.holder === 'dead' || world.open >= world.held
        ? world
        : {
            ...world,
            open: world.held,
            openedLate: world.openedLate || (world.endsAt !== null && world.now >= world.endsAt),
          },
  },
  moves,
  commands: {
    endTerminal: { is: 'endTerminal', holder: 'a process' },
    endStream: { is: 'endStream', holder: 'a process' },
  },
  asks: ({ open }) => open > 0,
  within: ({ now }) => now <= 1_000_000,
  invariants: {
    oneTerminal: { never: ({ open }) => open > 1 },
    endedStaysEnded: { alwaysStep: (before, after) => !ended(before) || after.state === before.state },
    limitStandsStill: {
      alwaysStep: (before, after) =>
        before.startedAt === null ||
        (after.startedAt === before.startedAt && after.timeoutSeconds === before.timeoutSeconds),
    },
    noLateTerminal: { never: ({ openedLate }) => openedLate },
    terminalGoneAfterEnd: { never: (world) => ended(world) && world.open > 0 },
    endsByItself: { eventually: (world) => ended(world) || world.state === '(none)' },
  },
};
