import type { KubeObject } from '../../../crds/kind.ts';
import { key } from '../../../crds/names.ts';
import { type Purpose, purposeLabel } from '../../../rules/backup/jobs.ts';

/** Marks a Job whose dump stands in the bucket. */
export const dumpedMark = key('simulated-dump');
const dumping: readonly string[] = ['daily', 'first', 'final'] satisfies readonly Purpose[];

/** Whether a Job is to leave a dump that does not stand yet: it ends only afterwards, as one whose containers really upload. */
export const lacksDump = ({ metadata: { labels, annotations } }: Pick<KubeObject, 'metadata'>): boolean =>
  dumping.includes(labels?.[purposeLabel] ?? '') && annotations?.[dumpedMark] === undefined;
