import { Effect } from 'effect';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import { backupStorageCondition, backupStorageVerdict } from '../../../../rules/backupStorage/condition.ts';
import type { StorageState } from '../../../../rules/backupStorage/state.ts';
import { storageCauses } from '../../../../rules/backupStorage/causes.ts';
import { hashOf } from '../../../../rules/canonical.ts';
import type { FoundCause } from '../../../../rules/cause/cause.ts';
import type { CauseReason } from '../../../../rules/cause/reasons.ts';
import { type Condition, conditionOf, withCondition } from '../../../../rules/condition.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { causesOf } from '../../../step/derive.ts';
import { connectionLacks } from '../../cloudAccess/account.ts';
import { done, type Ensure, type Ensured, holds } from '../../../contract/ensure.ts';
import { errorMessage } from '../../../../rules/errorMessage.ts';
import { checkEveryMs } from '../../cloudAccess/buckets.ts';
import type { BackupStorages } from '../../cloudAccess/storage.ts';

const soonMs = 5_000;
const retryAfterMs = 60_000;

/** The findings about the storage that a project names. */
interface StorageFindings {
  readonly of: string;
  readonly state: StorageState;
}

/** Creates the bucket that a project names for its backups, and reports whether it works. */
export interface ProjectStorage {
  readonly ensure: Ensure<CoreProject>;
  readonly conditions: (project: CoreProject, now: string) => readonly Condition[];
  /** Why it does not work. */
  readonly causes: (project: CoreProject, reader: CacheReader) => readonly FoundCause[];
}

export function projectStorage(storages: BackupStorages): ProjectStorage {
  const memory = new Map<string, StorageFindings>();
  const uidOf = ({ metadata }: CoreProject) => metadata.uid ?? metadata.name;
  return {
    ensure: {
      schedule: { firstMs: 5_000, maxMs: 300_000 },
      run: ({ object: project, reader }) =>
        Effect.gen(function* () {
          const { backupStorage } = project.spec;
          if (backupStorage === undefined) {
            memory.delete(uidOf(project));
            return holds;
          }
          const before = memory.get(uidOf(project));
          const of = hashOf(backupStorage);
          const keep = (state: StorageState) => {
            const works = before?.of === of ? before.state.is === 'working' : isSaidToWork(project);
            // A transient failure changes nothing.
            if (state.is !== 'waiting' || !works) memory.set(uidOf(project), { of, state });
          };
          const state = yield* storages
            .reconcile({ ...backupStorage, project: project.metadata.name }, reader)
            .pipe(Effect.tapError((error) => Effect.sync(() => keep({ is: 'waiting', why: errorMessage(error) }))));
          keep(state);
          const after = memory.get(uidOf(project));
          return hashOf(before ?? null) === hashOf(after ?? null) ? nextAfter(state) : done;
        }),
    },
    conditions: (project, now) => {
      const { status, spec } = project;
      if (spec.backupStorage === undefined)
        return (status?.conditions ?? []).filter(({ type }) => type !== backupStorageCondition);
      const found = memory.get(uidOf(project));
      // The earlier result stays until this process has its own.
      if (found?.of !== hashOf(spec.backupStorage)) return status?.conditions ?? [];
      return withCondition(project, backupStorageVerdict(found.state), now);
    },
    causes: (project, reader) => {
      const { backupStorage } = project.spec;
      if (backupStorage === undefined) return [];
      const found = memory.get(uidOf(project));
      if (found?.of !== hashOf(backupStorage)) return recordedCauses(project);
      const { name } = backupStorage.connectionRef;
      return storageCauses(found.state, { name, lacks: connectionLacks(project.metadata.name, name, reader) });
    },
  };
}

/** The earlier causes stay until this process has its own. */
const recordedCauses = (project: CoreProject): readonly FoundCause[] =>
  causesOf(project)
    .filter(({ of }) => of === 'BackupStorage')
    .map(({ of, reason, severity, message: text, params, on, root }) => ({
      of,
      reason: reason as CauseReason,
      severity,
      message: { text, params },
      on,
      root,
    }));

function isSaidToWork(project: CoreProject): boolean {
  const told = conditionOf(project, backupStorageCondition);
  return told?.status === 'True' && told.observedGeneration === project.metadata.generation;
}

function nextAfter({ is }: StorageState): Ensured {
  if (is === 'working') return { is: 'waits', afterMs: checkEveryMs };
  return { is: 'waits', afterMs: is === 'waiting' ? soonMs : retryAfterMs };
}
