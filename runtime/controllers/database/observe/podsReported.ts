import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import { gateOf, specOf } from '../../../../rules/database/deployed.ts';
import type { StartingPod } from '../../../../rules/pods.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { archiveOf, dumpsOf } from '../../backupArchive/read.ts';
import { ownJobPods, systemJobPods } from '../../jobs.ts';
import { restoring } from '../actions/restore.ts';
import { chartJobOf, podsOf } from './runs.ts';

/** The pods that the causes of a database are found in: of its server, and of the Jobs that work for it. */
export function podsReported(database: CoreDatabase, reader: CacheReader): readonly StartingPod[] {
  const gate = gateOf(database);
  if (gate === 'Draft') return [];
  const spec = specOf(database, gate);
  const chart = chartJobOf(database, spec, reader);
  const restore = restoring(database, spec, reader);
  const archive = archiveOf(database, reader);
  const [dump] = archive ? dumpsOf(archive, reader) : [];
  return [
    ...podsOf(database, spec, reader),
    ...(chart ? systemJobPods(chart, reader) : []),
    ...[restore, dump].flatMap((job) => (job ? ownJobPods(job, reader) : [])),
  ];
}
