import { type ApiResult, read, write } from '../../api.ts';
import { installationFor } from '../../model/gitHost.ts';

/** Links a project to the Git host for a repository; one that is linked stays as it is. */
export async function linkFor(project: string, repository: string): Promise<ApiResult<unknown>> {
  const answer = await read('GET /projects/{project}', { project: project });
  if (answer.is !== 'ok' || answer.value.spec['gitConnectionRef'] !== undefined) return answer;
  const installations = await read('GET /git/installations', {});
  if (installations.is !== 'ok') return installations;
  const installation = installationFor(repository, installations.value.items);
  if (!installation)
    return { is: 'refused', status: 409, error: `The Git host application is not installed for ${repository}.` };
  return write('POST /projects/{project}/git/connect', { project }, { installationID: installation.id });
}
