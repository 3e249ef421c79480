import { Array } from 'effect';
import type { CoreApp } from '../../crds/coreApp.ts';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { HistoryEntry } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import type { Job } from '../../crds/builtIn.ts';
import { faultsOf } from '../audit/audit.ts';
import { auditTables } from '../audit/tables.ts';
import { type SoakCommand, type UserBuild, type Ledger, type Patched, type Service, unansweredKey } from './ledger.ts';
import type { SeenBuild, Witness } from './witness.ts';

/** Something that must not be; `about` are the words by which the timeline is searched for it. */
export interface Violation {
  readonly text: string;
  readonly about: readonly string[];
}

/** The cluster as it stands at the end, and what was seen and promised on the way. */
export interface End {
  readonly builds: readonly CoreBuild[];
  readonly apps: readonly CoreApp[];
  readonly jobs: readonly Job[];
  readonly heads: ReadonlyMap<string, string>;
  readonly witness: Witness;
  readonly ledger: Ledger;
  readonly now: number;
}

/** Everything that is wrong at the end. */
export const violationsOf = (end: End): readonly Violation[] => [
  ...end.witness
    .rewritten()
    .map((text) => ({ text: `a move was rewritten: ${text}`, about: [text.split(':')[0] ?? ''] })),
  ...[...end.ledger.userBuilds.values()].flatMap((one) => keptFaults(one, end)),
  ...deletedFaults(end),
  ...serviceFaults(end),
  ...end.builds.flatMap((build) => endFaults(build, end)),
  ...jobFaults(end),
  ...end.ledger.patched.flatMap((patched) => patchedFaults(patched, end)),
  ...askedFaults(end),
  ...auditFaults(end),
];

/** A violation, and the names to look for in the timeline. */
export const violation = (text: string, ...about: readonly string[]): Violation => ({ text, about });

/** A build the driver made itself is there, or gone, as it was last answered, with the spec as written. */
function keptFaults({ name, exists, uid, recipes }: UserBuild, { builds }: End): readonly Violation[] {
  const found = builds.find(({ metadata }) => metadata.name === name);
  if (exists === 'yes' && found?.metadata.uid !== uid)
    return [violation(`${name} was acknowledged as ${uid} and is ${found?.metadata.uid ?? 'not there'}`, name)];
  if (exists === 'no' && found) return [violation(`${name} was deleted and is there`, name)];
  const recipe = found?.spec.buildfile ?? '';
  if (!found || recipes.includes(recipe)) return [];
  return [violation(`${name} has the recipe ${recipe}, written was ${recipes.join(' or ')}`, name)];
}

const deletedFaults = ({ ledger, builds }: End): readonly Violation[] =>
  builds
    .filter(({ metadata }) => ledger.deleted.has(metadata.uid ?? ''))
    .map(({ metadata: { name, uid } }) => violation(`${name} (${uid}) was deleted and is there`, name));

/** Services have the spec as written, repositories the commit as pushed, and the commit pushed last is built. */
const serviceFaults = (end: End): readonly Violation[] =>
  [...end.ledger.services.values()].flatMap((service) => {
    const app = end.apps.find(({ metadata }) => metadata.name === service.name);
    if (!app) return [violation(`the service ${service.name} is gone`, service.name)];
    return [...writtenFaults(service, app), ...pushedFaults(service, app, end)];
  });

function writtenFaults({ name, caches, recipes }: Service, { spec }: CoreApp): readonly Violation[] {
  const recipe = spec.source.git?.buildfile ?? '';
  const cache = spec.build?.cache ?? false;
  return [
    ...(recipes.includes(recipe) ? [] : [`the recipe "${recipe}", written was "${recipes.join('" or "')}"`]),
    ...(caches.includes(cache) ? [] : [`cache ${cache}, written was ${caches.join(' or ')}`]),
  ].map((text) => violation(`${name} has ${text}`, name));
}

function pushedFaults(
  { name, heads: pushed }: Service,
  { status }: CoreApp,
  { heads, builds }: End,
): readonly Violation[] {
  const head = heads.get(name) ?? '';
  if (!pushed.includes(head))
    return [violation(`the head of ${name} is ${head}, pushed was ${pushed.join(' or ')}`, name)];
  const current = builds.find(({ metadata }) => metadata.name === status?.currentBuild);
  const { phase = 'without a phase', sourceRevision = 'no commit' } = current?.status ?? {};
  if (phase === 'Succeeded' && sourceRevision === head) return [];
  const which = current?.metadata.name ?? '(none)';
  return [
    violation(`${name} was pushed to ${head}; its current build ${which} is ${phase} of ${sourceRevision}`, name),
  ];
}

/** A build has come to its end: the right one, with the digest of its own run. */
function endFaults(build: CoreBuild, end: End): readonly Violation[] {
  const { name } = build.metadata;
  const { phase, failureReason } = build.status ?? {};
  const one = end.ledger.userBuilds.get(name);
  switch (phase) {
    case 'Succeeded':
      if (one?.ends === 'badly') return [violation(`${name} succeeded, its builder only fails`, name)];
      return digestFaults(build, end);
    case 'Failed':
      if (one?.ends === 'badly' && failureReason === 'builder Job failed') return [];
      return [violation(`${name} failed: ${failureReason}`, name)];
    case 'Cancelled':
      if ((one ?? end.ledger.services.get(build.spec.app))?.mayBeCancelled === true) return [];
      return [violation(`${name} is cancelled, nobody asked for it`, name)];
    default:
      return [violation(`${name} has not come to an end, it is ${phase || 'without a phase'}`, name)];
  }
}

function digestFaults({ metadata: { name, uid }, status }: CoreBuild, { witness }: End): readonly Violation[] {
  const { startedAt, imageDigest } = status ?? {};
  const ran = witness.jobs().filter((job) => job.build === uid && job.run === startedAt);
  const digests = ran.flatMap((job) => [...witness.digestsOf(job.uid)]);
  if (imageDigest && digests.includes(imageDigest)) return [];
  const pushed = digests.join(' and ') || 'nothing';
  return [violation(`${name} has ${imageDigest || 'no digest'}, its run ${startedAt} pushed ${pushed}`, name)];
}

/** At most one Job a run was ever seen, and none is left that its build does not stand for. */
function jobFaults({ witness, builds, jobs }: End): readonly Violation[] {
  const byRun = Array.groupBy(witness.jobs(), ({ build, run }) => `${build} ${run}`);
  const twice = Object.values(byRun)
    .filter((those) => those.length > 1)
    .map((those) =>
      violation(`run ${those[0]?.run} of ${those[0]?.name} had ${those.length} Jobs`, nameOfBuild(those[0]?.name)),
    );
  const left = jobs.flatMap(({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'CoreBuild');
    const build = builds.find(({ metadata: { uid } }) => uid === owner?.uid);
    const run = metadata.annotations?.[annotation.run] ?? '';
    if (!build) return [violation(`the Job ${metadata.name} is left of a build that is gone`, owner?.name ?? '')];
    if (build.status?.phase !== 'Cancelled' && build.status?.startedAt === run) return [];
    return [
      violation(
        `the Job ${metadata.name} of run ${run} is left, ${build.metadata.name} is past it`,
        build.metadata.name,
      ),
    ];
  });
  return [...twice, ...left];
}

const nameOfBuild = (job = '') => job.replace(/-builder$/, '');

/** What follows a status that was written by hand and acknowledged is that it is taken up. */
function patchedFaults({ what, build, uid, over, takenUpBy }: Patched, { witness, ledger }: End): readonly Violation[] {
  const seen = witness.builds().find((one) => one.uid === uid);
  const next = seen?.moves.get(over + 1);
  if (next === undefined ? ledger.deleted.has(uid) : takenUpBy.includes(next.event)) return [];
  return [
    violation(
      `the ${what} of ${build} over move ${over} was acknowledged, then came ${next?.event ?? 'nothing'}`,
      build,
    ),
  ];
}

/** A clock is read before the write and after its answer. */
const leewayMs = 100;
/** A build that stands at its start has nothing to be written by being sent there. */
const atTheStart = ['rebuildAsked', 'pushed', 'resetFound', 'cancelSpent'];

/** Commands that were acknowledged are in the history, once each; no more are there than were sent. */
function askedFaults({ ledger, witness }: End): readonly Violation[] {
  const seen = witness.builds();
  const movesOf = (name: string) =>
    seen
      .filter((one) => one.name === name)
      .flatMap(({ moves }) => [...moves.values()].toSorted((a, b) => a.seq - b.seq));
  const taken = new Set<HistoryEntry>();
  const lost = ledger.asked.flatMap((asked) => {
    const moves = movesOf(asked.build);
    const mine = moves.find((move) => !taken.has(move) && move.event === asked.event && isWithin(move, asked));
    if (mine) taken.add(mine);
    if (mine || stoodAtStart(moves, asked)) return [];
    return [
      violation(
        `${asked.event} of ${asked.build} was acknowledged at ${iso(asked.answeredAt)} and is not in its history`,
        asked.build,
      ),
    ];
  });
  return [...lost, ...doneTwice(ledger, seen), ...headsFoundTwice(seen)];
}

const iso = (ms: number) => new Date(ms).toISOString();
const isWithin = ({ at }: HistoryEntry, { sentAt, answeredAt }: SoakCommand) =>
  Date.parse(at) >= sentAt - leewayMs && Date.parse(at) <= answeredAt + leewayMs;

/** A move is of the time it was decided; how much later it may have been written. */
const writtenWithinMs = 5_000;

/** Whether the build may have stood at its start, with nothing recorded yet, when the command was worked on. */
const stoodAtStart = (moves: readonly HistoryEntry[], { event, sentAt, answeredAt }: SoakCommand): boolean =>
  event !== 'cancelAsked' &&
  moves.some((move, index) => {
    const next = moves[index + 1];
    const since = index === 0 ? Number.NEGATIVE_INFINITY : Date.parse(move.at);
    const until = next === undefined ? Number.POSITIVE_INFINITY : Date.parse(next.at) + writtenWithinMs;
    return (index === 0 || atTheStart.includes(move.event)) && since <= answeredAt + leewayMs && until >= sentAt;
  });

/** A head that a build's branch was found at: nobody sent it. A service whose settings are as before builds it late. */
const isHeadFound = ({ event, by }: HistoryEntry): boolean => event === 'pushed' && by === 'operator';

/** A build is told of the same head by the operator once. */
const headsFoundTwice = (seen: readonly SeenBuild[]): readonly Violation[] =>
  seen.flatMap(({ name, moves }) => {
    const told = [...moves.values()].filter(isHeadFound).map(({ text }) => text);
    return told
      .filter((text, index) => told.indexOf(text) < index)
      .map((text) => violation(`${name} was told twice: ${text}`, name));
  });

function doneTwice({ services, asked, unanswered }: Ledger, seen: readonly SeenBuild[]): readonly Violation[] {
  const events = ['rebuildAsked', 'cancelAsked', 'pushed'] as const;
  return [...services.keys()].flatMap((service) =>
    events.flatMap((event) => {
      const ofService = seen.filter(({ last }) => last.spec.app === service);
      const moves = ofService.flatMap((build) => [...build.moves.values()]).filter((move) => move.event === event);
      const found = moves.filter((move) => !isHeadFound(move)).length;
      const names = new Set(ofService.map(({ name }) => name));
      const sent = asked.filter((one) => one.event === event && names.has(one.build)).length;
      const most = sent + (unanswered.get(unansweredKey(service, event)) ?? 0);
      return found > most
        ? [violation(`${event} of ${service} was sent ${most} times and moved ${found} times`, service)]
        : [];
    }),
  );
}

const lateMs = 60_000;

/** Every recorded move is an arrow of its table. That one came late is no fault while processes are killed. */
function auditFaults({ builds, now }: End): readonly Violation[] {
  const tables = auditTables(['build']);
  return builds.flatMap((build) => {
    const { name } = build.metadata;
    const history = build.status?.history ?? [];
    return faultsOf({ name, history, states: { build: stateOf(build) } }, tables, { now, lateMs })
      .filter(({ is }) => is !== 'late')
      .map(({ is, text }) => violation(`audit, ${name}: ${is}: ${text}`, name));
  });
}

/** Transcribed from the table's section on how the state is kept. */
function stateOf({ status }: CoreBuild): string {
  if (status?.phase === 'Failed') return status.logRef ? 'Failed' : 'FailedBeforeJob';
  return status?.phase || 'Pending';
}
