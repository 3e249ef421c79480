import { sentence, toViewers } from '../words.ts';

/** The message when the project of a resource does not exist, is not ready, or lacks the environment. */
export const projectMissing = (project: string) =>
  sentence('project "{project}" does not exist', { project: toViewers(project) });
export const projectNotReady = (project: string) =>
  sentence('project "{project}" is not ready', { project: toViewers(project) });
export const environmentMissing = (project: string, environment: string) =>
  sentence('project "{project}" has no {environment} environment', {
    project: toViewers(project),
    environment: toViewers(environment),
  });
