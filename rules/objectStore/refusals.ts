import type { ObjectStoreSpec } from '../../crds/coreObjectStore.ts';

/** Why a spec is not supported; empty when it is. */
export function unsupportedOf({
  mode,
  project,
  environment,
  serverRef,
  connectionRef,
  bucket,
}: ObjectStoreSpec): string {
  const hasProject = (project ?? '') !== '';
  if (mode === 'Server') {
    if (hasProject) return 'an object store server belongs to no project';
    return serverRef || connectionRef || bucket !== undefined ? 'an object store server has no bucket of its own' : '';
  }
  if (!hasProject || (environment ?? '') === '') return 'a bucket needs a project and an environment';
  if (serverRef && connectionRef) return 'a bucket is on a server or in an account, not both';
  return serverRef || connectionRef ? '' : 'a bucket needs serverRef or connectionRef';
}
