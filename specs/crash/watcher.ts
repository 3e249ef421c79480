import type { BuildStatus, CoreBuild } from '../../crds/coreBuild.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { msOf } from '../../rules/time.ts';
import type { AuditFault } from '../../runtime/audit.ts';
import { historyOf } from '../../runtime/history.ts';
import { builds } from '../../runtime/kinds.ts';
import { events, jobs, pods, secrets } from '../../runtime/resources.ts';
import type { Resource } from '../../runtime/services/cluster.ts';
import { faultsOf } from '../audit/audit.ts';
import { auditTables } from '../audit/tables.ts';
import type { World } from '../support/world.ts';
import type { Path } from './plan.ts';

export const runOf = (object: KubeObject): string => object.metadata.annotations?.[annotation.run] ?? '';
export const buildOf = (world: World) => world.cluster.all(builds)[0];
export const jobsCreated = (world: World) => world.cluster.created.filter(({ plural }) => plural === jobs.plural);

/** What the n-th Job pushes: no two the same, so that a digest tells its Job. */
export const digestOfJob = (index: number): string => `sha256:${(index + 1).toString(16).padStart(64, '0')}`;

/** Looks at every version a build ever had, and remembers what must not be. */
export interface Watcher {
  readonly faults: ReadonlySet<string>;
  readonly fault: (what: string) => void;
  /** Called after every write, whoever wrote. */
  readonly look: () => void;
  /** Called once everything is at rest. */
  readonly atRest: (ends: Path['ends']) => void;
}

/** Every place outside the Secrets where something of a Secret stands. */
function leaks({ cluster, bucket }: World): readonly string[] {
  const kept = cluster.all(secrets).flatMap(({ data = {} }) => Object.values(data));
  const forms = kept.flatMap((encoded) => [encoded, Buffer.from(encoded, 'base64').toString()]);
  const seen: readonly (readonly [where: string, what: string])[] = [
    ...[builds, jobs, pods, events].flatMap((resource: Resource) =>
      cluster
        .all(resource)
        .map((object) => [`${resource.kind} ${object.metadata.name}`, JSON.stringify(object)] as const),
    ),
    ...[...bucket].map(([key, stored]) => [`log ${key}`, JSON.stringify(stored)] as const),
  ];
  return seen
    .filter(([, text]) => forms.some((secret) => text.includes(secret)))
    .map(([where]) => `${where} shows what a Secret holds`);
}

const tables = auditTables(['build']);

/** What is wrong with the recorded moves of a build that came to rest. */
function traceFaults(build: CoreBuild | undefined): readonly AuditFault[] {
  const history = build ? historyOf(build) : [];
  const now = msOf(history.at(-1)?.at ?? '');
  const states = { build: history.findLast(({ machine }) => machine === 'build')?.to ?? '' };
  return faultsOf({ name: 'build', history, states }, tables, { now, lateMs: 60_000 });
}

export function makeWatcher(world: World): Watcher {
  const faults = new Set<string>();
  const fault = (what: string) => void faults.add(what);
  const runs: string[] = [];
  const given = jobsCreated(world).length;
  let version = '';

  const enterRun = (startedAt: string) => {
    const newest = runs.at(-1);
    if (startedAt === newest) return;
    if (newest !== undefined && startedAt <= newest) fault(`run ${startedAt} is not later than ${newest}`);
    runs.push(startedAt);
  };
  const judgeResult = ({ phase, imageDigest, completedAt, startedAt }: BuildStatus) => {
    if (completedAt && phase !== 'Succeeded') fault(`completedAt in ${phase}`);
    if (!imageDigest) return;
    if (phase !== 'Succeeded') fault(`a digest in ${phase}`);
    const index = jobsCreated(world).findLastIndex(({ object }) => runOf(object) === startedAt);
    if (imageDigest !== digestOfJob(index)) fault(`the digest of another run in ${phase}`);
  };
  const judgeJobs = (status: BuildStatus) => {
    const created = jobsCreated(world)
      .slice(given)
      .map(({ object }) => runOf(object));
    if (new Set(created).size < created.length) fault('two Jobs of one run');
    if (created.some((run) => !runs.includes(run))) fault('a Job of a run that was never claimed');
    const left = world.cluster.all(jobs);
    if (left.some((job) => runOf(job) !== status.startedAt)) fault('a Job of another run is left');
    if (status.phase === 'Cancelled' && left.length > 0) fault('a cancelled build has a Job');
  };

  return {
    faults,
    fault,
    look: () => {
      const build = buildOf(world);
      if (!build || build.metadata.resourceVersion === version) return;
      version = build.metadata.resourceVersion ?? '';
      if (build.status?.startedAt) enterRun(build.status.startedAt);
      judgeResult(build.status ?? {});
      const told = historyOf(build).findLast(({ machine }) => machine === 'build');
      if (told?.event === 'movedOutside') fault(`told as outside the table: ${told.from} → ${told.to}`);
    },
    atRest: (ends) => {
      const status = buildOf(world)?.status ?? {};
      if (status.phase !== ends) fault(`rests in ${status.phase}, not in ${ends}`);
      judgeJobs(status);
      for (const { is, text } of traceFaults(buildOf(world))) fault(`audit: ${is}: ${text}`);
      for (const leak of leaks(world)) fault(leak);
      for (const { metadata } of world.bucket.values())
        if (metadata['core-run'] !== status.startedAt) fault('the log of another run is archived');
      for (const refused of world.metrics.refused) if (refused !== 'build asked') fault(`refused: ${refused}`);
    },
  };
}
