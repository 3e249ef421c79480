import type { CoreApp } from '../../crds/coreApp.ts';
import type { CoreDeployment } from '../../crds/coreDeployment.ts';
import { label } from '../../crds/names.ts';
import type { SpecPatch } from '../draftDeploy/facts.ts';
import { sourceOf } from '../service/effective.ts';
import { firstHeld } from '../verdict.ts';
import type { Said } from '../words.ts';
import { rollbackAnswer } from './rollback.ts';

/** What a rollback request comes to: a refusal with its reason, or what is deployed and a note about it. */
export type Rollback =
  | { readonly is: 'refused'; readonly reason: string; readonly says: Said }
  | { readonly is: 'deploy'; readonly spec: SpecPatch; readonly note: Said };

/** A record without a replica count leaves that of the service as it is (decision 53). */
const replicasFrom = ({ spec: { replicas } }: CoreDeployment): SpecPatch =>
  replicas === undefined ? {} : { replicas };

/** Goes back to the image and the replicas of a record; a repository goes on running the code that it runs. */
export function rollbackTo(app: CoreApp, revision: string, record: CoreDeployment | undefined): Rollback {
  const source = sourceOf(app.spec);
  const appLabel = record?.metadata.labels?.[label.app] ?? null;
  const asked = { app: app.metadata.name, source, revision, appLabel };
  const { reason, status, message } = firstHeld('Rollback', rollbackAnswer, asked);
  if (status !== 'True' || record === undefined) return { is: 'refused', reason, says: message(asked) };
  const image = { source: { image: record.spec.image, imagePullSecretRef: null } };
  const spec = { ...(source === 'image' ? image : {}), ...replicasFrom(record) };
  return { is: 'deploy', spec, note: message(asked) };
}
