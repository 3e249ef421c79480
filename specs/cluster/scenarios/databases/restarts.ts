import { sizeOf, writesSince } from '../../audit.ts';
import { isNone, objectOf, pause, podsIn, seconds } from '../../core.ts';
import type { Line } from '../../fixtures/process.ts';
import { machineOf, type Steps } from '../../step.ts';
import { created, standing } from './creation.ts';
import { namespace } from './objects.ts';

const runningMs = 120_000;
/** The new Core has the lease, and has looked at everything. */
const looksMs = 15_000;

/** Core restarts, and neither it nor the operator changes anything. */
export const restarts: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: 'two restarts of Core write and delete nothing, and no pod is replaced for 120 s',
    after: [created],
    run: async () => {
      const { auditLog } = machineOf(cluster);
      const isReady = cluster.follow(readyOf);
      const { from, pods } = standing;
      // What was asked for last is still being looked at.
      await pause(looksMs);
      const moment = sizeOf(auditLog);
      for (const _ of [1, 2]) {
        await cluster.kubectl('rollout restart -n core-system deploy/core');
        await cluster.kubectl('rollout status -n core-system deploy/core --timeout=90s');
        await pause(looksMs);
      }
      await pause(Math.max(0, from + runningMs - Date.now()));
      isReady.stop();
      isNone(
        writesSince(auditLog, moment).filter((line) => !isWindow(line) && !isCount(line)),
        'writes',
      );
      isNone(changesIn(isReady.lines), 'changes of Ready');
      const now = await podsIn(cluster, namespace);
      isNone(
        [...pods].filter(([name, uid]) => now.get(name) !== uid).map(([name]) => name),
        'replaced pods',
      );
      const count = (await objectOf<{ readonly items: readonly unknown[] }>(cluster, databases))?.items.length;
      return `${count} databases, nothing written but the lease; ${pods.size} pods stand for ${seconds(Date.now() - from)}`;
    },
  },
];

/** The recovery window of an archive moves with the time, every five minutes, whoever leads. */
const isWindow = (line: string) => / patch .*\/corebackuparchives\/[^/]+\/status 200$/.test(line);

/** The service that exits at once is started again and again, and its cause counts that. */
const isCount = (line: string) => / patch .*\/coreapps\/exits\/status 200$/.test(line);

const databases = 'coredatabases -n core-system';
const columns = 'NAME:.metadata.name,READY:.status.conditions[?(@.type=="Ready")].status';
const readyOf = `get ${databases} --no-headers -w -o custom-columns=${columns}`;

/** Lines that say another thing of a database than its first one. */
function changesIn(lines: readonly Line[]): readonly string[] {
  const first = new Map<string, string>();
  return lines.flatMap(({ text }) => {
    const [name = '', status = ''] = text.split(/ +/);
    const before = first.get(name) ?? status;
    first.set(name, before);
    return status === before ? [] : [text];
  });
}
