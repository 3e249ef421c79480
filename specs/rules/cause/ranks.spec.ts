import * as assert from 'uvu/assert';
import type { CauseRule } from '../../../rules/cause/rule.ts';
import { type CauseReason, reasons } from '../../../rules/cause/reasons.ts';
import { cloudConnectionReady } from '../../../rules/cloud/ready.ts';
import { clusterReady } from '../../../rules/cluster/ready.ts';
import { connectionReady } from '../../../rules/connection/ready.ts';
import { databaseReady } from '../../../rules/database/ready.ts';
import { logicalDatabaseReady } from '../../../rules/logicalDatabase/ready.ts';
import { objectStoreReady } from '../../../rules/objectStore/ready.ts';
import { projectReadyVerdicts } from '../../../rules/projectReady/ready.ts';
import { serviceReady } from '../../../rules/service/ready.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('references of causes');

/** From what waits to what is waited for. */
const ranked = [
  'CoreApp',
  'CoreBuild',
  'CoreLogicalDatabase',
  'CoreDatabase',
  'CoreObjectStore',
  'server of a CoreObjectStore',
  'CoreProject',
  'CoreGitHostConnection',
  'CoreCloudConnection',
  'CoreCluster',
] as const;
type Ranked = (typeof ranked)[number];

const anyTable = (table: readonly { readonly cause?: Pick<CauseRule<never>, 'reasons'> }[]) => table;
const tables = {
  CoreApp: anyTable(serviceReady),
  CoreLogicalDatabase: anyTable(logicalDatabaseReady),
  CoreDatabase: anyTable(databaseReady),
  CoreObjectStore: anyTable(objectStoreReady),
  CoreProject: anyTable(projectReadyVerdicts),
  CoreGitHostConnection: anyTable(connectionReady),
  CoreCloudConnection: anyTable(cloudConnectionReady),
  CoreCluster: anyTable(clusterReady),
} as const;

const buildReasons: readonly CauseReason[] = ['BuildRunning', 'BuildFailed', 'ChecksPending', 'ChecksFailed'];
const serverOf: Partial<Record<Ranked, Ranked>> = {
  CoreLogicalDatabase: 'CoreDatabase',
  CoreObjectStore: 'server of a CoreObjectStore',
};

/** The kind that a reason refers to; null for a wait that ends in the object itself, undefined if nobody said. */
function referredTo(reason: CauseReason, by: Ranked): Ranked | null | undefined {
  if (buildReasons.includes(reason)) return 'CoreBuild';
  const targets: Partial<Record<CauseReason, Ranked | null>> = {
    ProjectNotReady: 'CoreProject',
    ClusterNotReady: 'CoreCluster',
    DatabaseNotReady: 'CoreDatabase',
    BucketNotReady: 'CoreObjectStore',
    GitConnectionNotReady: 'CoreGitHostConnection',
    FirstPushAwaited: 'CoreBuild',
    BuildCancelled: 'CoreBuild',
    StorageClassMissing: null,
    DeletionWaits: null,
    ...(serverOf[by] && { ServerNotReady: serverOf[by] }),
  };
  return reason in targets ? targets[reason] : reasons[reason] === 'waiting' ? undefined : null;
}

spec('each reference of a Ready table goes to a kind of lower rank, so that causes make no cycle', () => {
  let seen = 0;
  for (const [kind, table] of Object.entries(tables) as readonly (readonly [Ranked, (typeof tables)['CoreApp']])[])
    for (const reason of new Set(table.flatMap(({ cause }) => cause?.reasons ?? []))) {
      const target = referredTo(reason, kind);
      assert.is.not(target, undefined, `${kind} waits by ${reason} for a kind that has no rank`);
      if (target === null || target === undefined) continue;
      seen++;
      assert.ok(ranked.indexOf(target) > ranked.indexOf(kind), `${kind} refers upward to ${target} by ${reason}`);
    }
  assert.ok(seen >= 10, `${seen} references`);
});

spec.run();
