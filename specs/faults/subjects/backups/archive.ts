import {
  type BackupArchiveSpec,
  coreBackupArchive,
  type CoreBackupArchive,
} from '../../../../crds/coreBackupArchive.ts';
import { type KubeObject, typeMeta } from '../../../../crds/kind.ts';
import { archiveLabels } from '../../../../rules/backupArchive/archive.ts';
import { isoTime } from '../../../../rules/time.ts';
import { backupArchives } from '../../../../runtime/services/cluster/kinds.ts';
import { bucket } from '../../../support/backups.ts';
import { inSystem } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

export const minuteMs = 60_000;
export const weekMs = 7 * 24 * 60 * minuteMs;
export const folder = 'orders-uid-0';

const moved = (seq: number, at: number, move: { from: string; event: string; to: string; rule: string }) => ({
  seq,
  machine: 'backupArchive',
  ...move,
  by: 'operator',
  at: isoTime(at),
  text: '',
});
const made = { from: '(none)', event: 'backupsTurnedOn', to: 'Protected', rule: 'turned-on' };
const retiring = { from: 'Protected', event: 'backupsTurnedOff', to: 'Retired', rule: 'turned-off' };

/** How it came to be, and to be retired. */
function historyOf(now: number, afterMs: number | null) {
  const at = now + (afterMs ?? weekMs) - weekMs;
  return [moved(1, at - minuteMs, made), ...(afterMs === null ? [] : [moved(2, at, retiring)])];
}

/** An archive, as its database had it; `afterMs` from now on it is due for the purge. */
export function putArchive(
  environment: TestEnvironment,
  afterMs: number | null,
  spec: Partial<BackupArchiveSpec> = {},
  name = folder,
): void {
  const of = { project: 'shop', environment: 'production', database: 'orders' };
  environment.cluster.put(backupArchives, {
    ...typeMeta(coreBackupArchive),
    metadata: { ...inSystem(name), labels: archiveLabels(of) },
    status: { history: historyOf(environment.now(), afterMs) },
    spec: {
      ...of,
      databaseUID: 'uid-0',
      serverName: name,
      storage: { connectionRef: { name: 'aws' }, bucket, region: 'eu-west-1' },
      retentionDays: 7,
      source: { engine: 'SQLite' },
      ...(afterMs === null ? {} : { deleteAfter: isoTime(environment.now() + afterMs) }),
      ...spec,
    },
  });
}

/** The end of an archive's time is its state, and it follows the shape of its database. */
export function retired(written: KubeObject, left: KubeObject): KubeObject {
  if (written.kind !== 'CoreBackupArchive') return written;
  const { deleteAfter, source } = (left as CoreBackupArchive).spec;
  return { ...written, spec: { ...(written as CoreBackupArchive).spec, deleteAfter, source } } as CoreBackupArchive;
}
