import type { CoreApp } from '../../crds/coreApp.ts';
import type { CoreDeployment } from '../../crds/coreDeployment.ts';
import { label } from '../../crds/names.ts';
import type { SpecPatch } from '../draftDeploy/facts.ts';
import { sourceOf } from '../service/effective.ts';
import { firstHeld } from '../verdict.ts';
import { rollbackAnswer, type RollbackAsked } from './rollback.ts';

/** The patch and message of a rollback, or its refusal. */
export type Rollback =
  | { readonly is: 'set'; readonly spec: SpecPatch; readonly note: string }
  | { readonly is: 'refused'; readonly status: 400 | 409; readonly text: string };

/** What a rollback restores from a record; the replicas only when recorded (decision 53). */
export function rollbackOf(app: CoreApp, revision: string, record: CoreDeployment | undefined): Rollback {
  const asked: RollbackAsked = {
    app: app.metadata.name,
    source: sourceOf(app.spec),
    revision,
    appLabel: record?.metadata.labels?.[label.app] ?? null,
  };
  const row = firstHeld('Rollback', rollbackAnswer, asked);
  const { text } = row.message(asked);
  if (row.status !== 'True' || !record)
    return { is: 'refused', status: row.reason === 'FunctionRefused' ? 409 : 400, text };
  const { image, replicas } = record.spec;
  const copies = replicas === undefined ? {} : { replicas };
  const source = asked.source === 'git' ? {} : { source: { image, imagePullSecretRef: null } };
  return { is: 'set', spec: { ...source, ...copies }, note: text };
}
