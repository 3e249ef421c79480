import { Context, Effect, Exit } from 'effect';
import type { HistoryEntry, KubeObject } from '../../../crds/kind.ts';
import { annotation, group } from '../../../crds/names.ts';
import { msOf } from '../../../rules/time.ts';
import { externalChange } from '../../../runtime/step/audit.ts';
import { causesOf } from '../../../runtime/step/derive.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { leases } from '../../../runtime/lead/leaseRecord.ts';
import { Journal, type Tombstone } from '../../../runtime/services/journal.ts';
import { faultsOf } from '../../audit/audit.ts';
import { auditTables } from '../../audit/tables.ts';
import { keyOf } from '../../support/memoryCluster.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import type { Plan } from '../plan/plan.ts';
import { delayOf, ofKind } from '../plan/trouble.ts';
import type { Called } from '../services/calls.ts';
import { makeCauseObserver } from './causes.ts';
import { makeCreations } from './creations.ts';
import { keptSecret } from './keptSecret.ts';
import { crashesIn } from './logged.ts';
import { isAsWritten, makeWritten, type Written } from './written.ts';

/** Observes and collects violations. */
export interface Observer {
  readonly faults: () => readonly string[];
  readonly fault: (what: string) => void;
  /** An operator is about to send a write. */
  readonly begun: (who: string, write: Called) => void;
  /** An operator has sent a write. */
  readonly written: (who: string, write: Called, exit: Exit.Exit<unknown, unknown>) => void;
  /** Everything has converged. */
  readonly atRest: () => void;
}

const statusOf = (object: KubeObject) => (object as { readonly status?: unknown }).status;
const isOurs = ({ apiVersion }: KubeObject) => apiVersion?.startsWith(`${group}/`) ?? false;

/** A write without a version or uid precondition could overwrite changes that the operator never saw. */
function blind({ verb, plural, name, precondition }: Called): readonly string[] {
  if (verb === 'patch the status of' && precondition?.resourceVersion === undefined)
    return [`the status of ${plural}/${name} is written over whatever version there is`];
  if (verb === 'remove' && precondition?.uid === undefined) return [`${plural}/${name} is removed whichever it is`];
  return [];
}

/** A write that leaves the version unchanged had no effect. */
function idle({ verb, plural, name, precondition }: Called, exit: Exit.Exit<unknown, unknown>): readonly string[] {
  if (!verb.startsWith('patch') || Exit.isFailure(exit)) return [];
  const { resourceVersion, deletionTimestamp, finalizers = [] } = (exit.value as KubeObject).metadata;
  // The write that removes the last finalizer ends the object, which has no later version.
  if (deletionTimestamp !== undefined && finalizers.length === 0) return [];
  return resourceVersion !== undefined && resourceVersion === precondition?.resourceVersion
    ? [`${plural}/${name} is written as it stands already`]
    : [];
}

/** Whether a write creates an object with the first transition of its life: it overwrites nothing, whoever sends it. */
function isCreation({ verb, body }: Called): boolean {
  const { annotations = {} } = (body as Partial<KubeObject> | undefined)?.metadata ?? {};
  return verb === 'create' && annotations[annotation.move] !== undefined;
}

/** Only the leader may change anything except a state, which names the version it was decided over. */
function unfenced({ cluster }: TestEnvironment, who: string, write: Called): readonly string[] {
  const { verb, plural, name, precondition } = write;
  const isOfState = isCreation(write) || (verb.startsWith('patch') && precondition?.resourceVersion !== undefined);
  const holder = cluster.all(leases)[0]?.spec?.holderIdentity ?? '';
  if (holder === '' || holder === who || isOfState) return [];
  return [`${who} would ${verb} ${plural}/${name} while ${holder} leads`];
}

/** Every place outside the Secrets that contains a value of a Secret. */
function leaks({ cluster, bucket, logged }: TestEnvironment): readonly string[] {
  const forms = keptSecret(cluster).flatMap((value) => [value, Buffer.from(value).toString('base64')]);
  const seen: readonly (readonly [where: string, what: string])[] = [
    ...cluster
      .everything()
      // What a program writes into its own pod is its own.
      .filter(({ kind = '' }) => !['Secret', 'Pod'].includes(kind))
      .map((object) => [keyOf(object), JSON.stringify(object)] as const),
    ...[...bucket].map(([key, stored]) => [`the stored ${key}`, JSON.stringify(stored)] as const),
    ['the log', logged.join('\n')],
  ];
  return seen
    .filter(([, text]) => forms.some((secret) => secret !== '' && text.includes(secret)))
    .map(([where]) => `${where} shows what a Secret holds`);
}

const asWritten = (written: KubeObject) => written;

/** Whatever users wrote must remain as they wrote it. */
function undone(
  { cluster }: TestEnvironment,
  entries: ReturnType<Written['entries']>,
  { removes = false, repaired = asWritten }: Plan['subject'],
): readonly string[] {
  const live = new Map(cluster.everything().map((object) => [keyOf(object), object]));
  return entries.flatMap(([key, written]) => {
    if (written === null || !isOurs(written)) return [];
    const left = live.get(key);
    if (!left) return removes ? [] : [`${key} was written by hand and is gone`];
    return isAsWritten(left, repaired(written, left)) ? [] : [`the spec of ${key} was changed`];
  });
}

const orphans = ({ cluster }: TestEnvironment): readonly string[] => {
  const uids = new Set(cluster.everything().map(({ metadata }) => metadata.uid));
  return cluster
    .everything()
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => !uids.has(uid)))
    .map((object) => `${keyOf(object)} outlives its owner`);
};

/** What was kept of the objects that are gone. */
const tombstones = ({ services }: TestEnvironment): readonly Tombstone[] =>
  Effect.runSync(Context.get(services, Journal).since(0));

/** A requeue later than this counts as forgotten. */
const onTimeMs = 60_000;

export function makeObserver({ subject, path, troubles }: Plan, environment: TestEnvironment): Observer {
  const faults = new Set<string>();
  const tables = auditTables(subject.tables);
  const lateMs = troubles.reduce((sum, trouble) => sum + delayOf(trouble), onTimeMs);
  const hasUserEdits = ofKind(troubles, 'hand', 'handAfter').length > 0;
  const oracle = subject.oracle(environment, hasUserEdits, ofKind(troubles, 'stands').length > 0);

  const checkMoves = (object: KubeObject) => {
    const newest = historyOf(object).at(-1);
    if (newest?.event === externalChange && !hasUserEdits)
      faults.add(`told as outside the table: ${newest.machine} ${newest.from} → ${newest.to}`);
  };
  const audited = (name: string, history: readonly HistoryEntry[]): readonly string[] => {
    if (history.length === 0) return [];
    const states = Object.fromEntries(history.map(({ machine, to }) => [machine, to]));
    const now = msOf(history.at(-1)?.at ?? '');
    return faultsOf({ name, history, states }, tables, { now, lateMs })
      .filter(({ is }) => is !== 'outside' || !hasUserEdits)
      .map(({ is, text }) => `audit of ${name}: ${is}: ${text}`);
  };

  const moves = new Map<string, number>();
  const checkPause = (object: KubeObject) => {
    const count = historyOf(object).at(-1)?.seq ?? 0;
    const before = moves.get(keyOf(object)) ?? 0;
    if (count > before && object.metadata.annotations?.[annotation.paused] === 'true')
      faults.add(`${keyOf(object)} is moved while it is paused`);
    moves.set(keyOf(object), count);
  };

  const written = makeWritten(path, environment.cluster);
  const creations = makeCreations();
  const causes = makeCauseObserver(environment);
  const flapping = (object: KubeObject) =>
    hasUserEdits || !causesOf(object).some(({ reason }) => reason === 'Flapping') ? [] : [`${keyOf(object)} flaps`];
  environment.cluster.onChange((changed, type) => {
    if (type === 'deleted') return;
    written.changed(changed);
    checkPause(changed);
    if (statusOf(changed) !== undefined && isOurs(changed)) {
      checkMoves(changed);
      if (!hasUserEdits) for (const fault of creations.check(changed)) faults.add(fault);
    }
    for (const fault of [...causes.look(changed), ...flapping(changed), ...oracle.look(changed)]) faults.add(fault);
  });
  return {
    faults: () => [...faults].toSorted(),
    fault: (what) => void faults.add(what),
    begun: (who, write) => {
      creations.begun(write);
      for (const fault of unfenced(environment, who, write)) faults.add(fault);
    },
    written: (_, write, exit) => {
      for (const fault of [...blind(write), ...idle(write, exit)]) faults.add(fault);
    },
    atRest: () => {
      const state = subject.state(environment);
      if (!hasUserEdits && !path.ends.includes(state))
        faults.add(`rests in ${state}, not in ${path.ends.join(' or ')}`);
      const all = [
        ...environment.cluster
          .everything()
          .filter(isOurs)
          .flatMap((object) => audited(keyOf(object), historyOf(object))),
        ...tombstones(environment).flatMap(({ kind, name, history }) => audited(`the former ${kind} ${name}`, history)),
        ...leaks(environment),
        ...undone(environment, written.entries(), subject),
        ...orphans(environment),
        ...environment.metrics.refused.filter((refused) => !/ (asked|outside)$/.test(refused)),
        ...causes.atRest(),
        ...oracle.atRest(),
        ...crashesIn(environment.logged),
      ];
      for (const fault of all) faults.add(fault);
    },
  };
}
