import type { Read } from '../../api.ts';
import type { Action } from '../components/actionButton.tsx';
import type { ResourceReading } from '../components/resource/reading.ts';
import { isDraft } from '../model/gate.ts';
import { waits } from '../model/project.ts';

/** What has not given up has nothing to retry. */
export const retryActions = ({ resource }: Read, { request }: ResourceReading): readonly Action[] =>
  resource.state === 'failed' ? [{ label: 'Retry', request: request('retry') }] : [];

/** Retry, and a deploy: while changes wait, their bar deploys them, unless the deployed spec is unknown. */
export function deployActions(read: Read, reading: ResourceReading): readonly Action[] {
  const { resource } = read;
  const isInBar = isDraft(resource) || reading.changes.value?.items.length !== 0;
  const deploy = waits(resource) ? (isInBar ? null : 'Deploy changes') : 'Redeploy';
  const isOffered = deploy !== null && resource.state !== 'deleting';
  return [
    ...retryActions(read, reading),
    ...(isOffered ? [{ label: deploy, request: reading.request('deploy') }] : []),
  ];
}
