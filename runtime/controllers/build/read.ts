import type { CoreBuild } from '../../../crds/coreBuild.ts';

export { askHead } from './ask.ts';
export { archivedLog } from './ask/archive.ts';
export { podsOfRun } from './ask/run.ts';
export { connectionSeen } from './observe.ts';

/** Records the head of a push without a build, so that branch checks know that it was delivered. */
export const recordHead =
  (head: string) =>
  ({ status }: CoreBuild) =>
    ({ patch: status?.head === head ? null : { head }, ofStatus: true, result: undefined }) as const;
