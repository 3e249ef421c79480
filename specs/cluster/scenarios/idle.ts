import * as assert from 'uvu/assert';
import { sizeOf, writesSince } from '../audit.ts';
import { isNone, loggedAt, pause } from '../core.ts';
import { otherImages, upgradedCore } from '../images.ts';
import { machineOf, needsMachine, type Steps } from '../step.ts';
import { installed } from './install.ts';

const idleSeconds = 60;
/** What an installation still brings about: the first passes of what was just made. */
const settlesMs = 8_000;

/** Core at rest, with a database that waits for its operator. */
export const idle: Steps = (cluster) => [
  {
    scenario: 'idle',
    title: `nothing but the lease is written for ${idleSeconds} s`,
    after: [installed],
    lacks: () => needsMachine(cluster),
    run: async () => {
      const machine = machineOf(cluster);
      const { auditLog } = machine;
      // They take the time that is waited for here; should they fail, the steps that need them do.
      for (const images of [otherImages, upgradedCore]) images(machine).catch(() => {});
      await pause(settlesMs);
      const from = sizeOf(auditLog);
      await pause(idleSeconds * 1_000);
      isNone(writesSince(auditLog, from), 'writes');
      assert.ok(sizeOf(auditLog) > from, 'the audit log has the lease');
      return 'audit log: the lease core-operator alone';
    },
  },
  {
    scenario: 'idle',
    title: 'the log has no error',
    after: [installed],
    run: async () => {
      isNone(await loggedAt(cluster, 'error'), 'errors');
      return `${(await loggedAt(cluster, 'warn')).length} warnings`;
    },
  },
];
