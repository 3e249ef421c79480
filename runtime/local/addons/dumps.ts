import type { KubeObject } from '../../../crds/kind.ts';
import { key } from '../../../crds/names.ts';
import { type Purpose, purposeLabel } from '../../../rules/backup/jobs.ts';

/** Marks a Job whose dump is in the bucket. */
export const dumpedMark = key('simulated-dump');
const dumping: readonly string[] = ['daily', 'first', 'final'] satisfies readonly Purpose[];

/** Whether a Job's dump is not written yet; the Job ends only afterwards, like one that really uploads. */
export const lacksDump = ({ metadata: { labels, annotations } }: Pick<KubeObject, 'metadata'>): boolean =>
  dumping.includes(labels?.[purposeLabel] ?? '') && annotations?.[dumpedMark] === undefined;
