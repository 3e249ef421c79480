import { randomInt } from 'node:crypto';
import type { Job } from './shapes.ts';

const letters = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestBase = 63 - suffixLength;

const suffix = () => Array.from({ length: suffixLength }, () => letters[randomInt(letters.length)]).join('');

/** A new pod of a Job, as its template says. */
export function podOf(job: Job) {
  const { name, namespace, uid } = job.metadata;
  const { metadata = {}, spec = {} } = job.spec?.template ?? {};
  const generateName = `${name}-`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${generateName.slice(0, longestBase)}${suffix()}`,
      generateName,
      ...(namespace !== undefined && { namespace }),
      labels: {
        ...metadata.labels,
        'batch.kubernetes.io/controller-uid': uid,
        'batch.kubernetes.io/job-name': name,
        'controller-uid': uid,
        'job-name': name,
      },
      ...(metadata.annotations && { annotations: metadata.annotations }),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec,
    status: { phase: 'Pending' },
  };
}
