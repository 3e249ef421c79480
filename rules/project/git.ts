import { type CoreGitHostConnection, coreGitHostConnection } from '../../crds/coreGitHostConnection.ts';
import type { CoreProject } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { changed, type ProjectChange } from './change.ts';

/** The Git host connection of a project (001 Dashboard behaviors). */
export const connectionOf = (project: string): string => `${project}-git`;

const tokenSecretOf = (project: string): string => `${connectionOf(project)}-token`;

/** The link of a project as an installation of the platform's application, which renews its token. */
export const newConnection = (project: string, installationID: number): CoreGitHostConnection => ({
  ...typeMeta(coreGitHostConnection),
  metadata: { name: connectionOf(project), namespace: systemNamespace },
  spec: { project, secretRef: { name: tokenSecretOf(project) }, installationID },
});

/** A project that names its connection. */
export const connected = ({ metadata: { name }, spec }: CoreProject): ProjectChange =>
  changed(
    spec.gitConnectionRef?.name === connectionOf(name)
      ? null
      : { spec: { gitConnectionRef: { name: connectionOf(name) } } },
  );

/** A project without a link; the connection and its Secret stay. */
export const disconnected = ({ spec }: CoreProject): ProjectChange =>
  changed(spec.gitConnectionRef === undefined ? null : { spec: { gitConnectionRef: null } });
