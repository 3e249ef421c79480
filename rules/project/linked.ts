import type { CoreGitHostConnection } from '../../crds/coreGitHostConnection.ts';
import type { CoreProject } from '../../crds/coreProject.ts';

/** Whether a project is linked to the Git host: it names a connection, and that connection exists. */
export const isLinked = (project: CoreProject | undefined, connection: CoreGitHostConnection | undefined): boolean =>
  (project?.spec.gitConnectionRef?.name ?? '') !== '' && connection !== undefined;
