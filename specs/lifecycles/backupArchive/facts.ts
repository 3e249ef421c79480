import * as fc from 'fast-check';
import type {
  BackupArchiveFacts,
  CloudConnectionSeen,
  FolderSeen,
  OwnerSeen,
} from '../../../rules/backupArchive/facts.ts';
import type { UnpurgedSeen } from '../../../rules/backupArchive/purged.ts';
import { known } from '../../../rules/fact.ts';
import { perhaps } from '../../support/facts.ts';

const now = Date.UTC(2026, 6, 1);
const edges = [-1, 0, 1] as const;
const tenMinutes = 600_000;

const owner: fc.Arbitrary<OwnerSeen> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<OwnerSeen>({ is: 'gone' }) },
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constant('alive'),
      backupsOn: fc.constantFrom(true, true, false),
      moved: fc.constantFrom(true, false, false),
      deletingSince: fc.constantFrom(null, null, null, now, ...edges.map((by) => now - tenMinutes + by)),
      finalBackup: fc.constantFrom('awaited', 'over'),
    }),
  },
);
const connection = fc.constantFrom<CloudConnectionSeen>('ready', 'ready', 'ready', 'absent', 'noSecret', 'noKeys');
const refusal = fc.constantFrom(
  { code: 'AccessDenied', text: 'Access Denied' },
  { code: 'SlowDown', text: 'reduce your request rate' },
);
const folder: fc.Arbitrary<FolderSeen> = fc.oneof(
  fc.constant<FolderSeen>({ is: 'empty' }),
  fc.constant<FolderSeen>({ is: 'filled' }),
  refusal.map((why): FolderSeen => ({ is: 'refused', ...why })),
);
const rarely = fc.constantFrom(true, false, false, false);

/** Archives at every boundary of their two times, and databases that may use one. */
export const facts: fc.Arbitrary<BackupArchiveFacts> = fc.record({
  now: fc.constant(now),
  found: fc.constantFrom(null, null, null, 'Protected'),
  deleteAfter: fc.constantFrom(
    null,
    ...edges.map((by) => now + by),
    now - 86_400_000,
    ...edges.map((by) => now + 604_800_000 + by),
    ...edges.map((by) => now + 604_800_000 - tenMinutes + by),
  ),
  owner: owner.map(known),
  folderInUse: rarely.map(known),
  restoring: rarely.map(known),
  connectionName: fc.constantFrom('shop-cloud', ''),
  connection: connection.map(known),
  folder: folder.map(known),
  serverName: fc.constant('orders-0a1b2c3d'),
  earlier: fc.constantFrom([], [], ['orders-0a1b2c3d'], ['orders-0a1b2c3d', 'orders-0a1b2c3d-2']),
  projectStorage: fc.constantFrom('none', 'regionUnknown', 'ready', 'ready'),
});

/** Purges that were due and failed. */
export const unpurged: fc.Arbitrary<UnpurgedSeen> = fc.record({
  connectionName: fc.constantFrom('shop-cloud', 'a "quoted" one'),
  connection,
  refusal,
});

const invalidTime = fc.constantFrom(NaN, Infinity, -1, 0, Number.MAX_VALUE);
const invalidText = fc.constantFrom('', '__proto__', '-2', 'x'.repeat(10_000));

/** Invalid facts. */
export const invalid: fc.Arbitrary<BackupArchiveFacts> = fc.record({
  now: invalidTime,
  found: fc.constantFrom(null, 'Protected', 'Lost' as 'Protected'),
  deleteAfter: fc.option(invalidTime),
  owner: perhaps(fc.oneof(owner, fc.constant({ is: 'buried' } as unknown as OwnerSeen))),
  folderInUse: perhaps(fc.boolean()),
  restoring: perhaps(fc.boolean()),
  connectionName: invalidText,
  connection: perhaps(fc.oneof(connection, fc.constant('READY' as CloudConnectionSeen))),
  folder: perhaps(fc.oneof(folder, fc.constant({ is: 'lost' } as unknown as FolderSeen))),
  serverName: invalidText,
  earlier: fc.array(invalidText),
  projectStorage: fc.constantFrom('none', 'regionUnknown', 'ready', 'Ready' as 'ready'),
});
