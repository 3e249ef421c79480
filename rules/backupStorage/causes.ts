import { systemNamespace } from '../../crds/names.ts';
import type { FoundCause } from '../cause/cause.ts';
import { causeOfMissing } from '../cause/missingSource.ts';
import { external, hidden, sentence } from '../words.ts';
import { backupStorageVerdict } from './condition.ts';
import type { StorageState } from './state.ts';

/** What a project lacks to use a cloud connection. */
export type ConnectionLacks =
  | { readonly is: 'absent' | 'foreign' }
  /** A key of its Secret; null for the whole Secret. */
  | { readonly is: 'missing'; readonly secret: string; readonly key: string | null };

/** The cloud connection that a project names for its backups. */
export interface StorageConnection {
  readonly name: string;
  readonly lacks: ConnectionLacks | null;
}

/** Why backup storage does not work; none while it does. */
export const storageCauses = (state: StorageState, connection: StorageConnection): readonly FoundCause[] =>
  state.is === 'working' ? [] : [{ ...causeOf(state, connection), of: 'BackupStorage' }];

function causeOf(state: Exclude<StorageState, { is: 'working' }>, { name, lacks }: StorageConnection): FoundCause {
  const on = { kind: 'CoreCloudConnection', name, namespace: systemNamespace };
  if (state.is === 'waiting') return { reason: 'CloudSilent', message: external(state.why), on };
  if (lacks?.is === 'missing') {
    const secret = { kind: 'Secret', name: lacks.secret, namespace: systemNamespace };
    return causeOfMissing({ what: `cloud connection "${name}"`, on: secret, key: lacks.key, variable: null });
  }
  if (lacks !== null) {
    const reason = lacks.is === 'absent' ? 'CloudConnectionMissing' : 'CloudConnectionForeign';
    return { reason, message: external(state.error), on };
  }
  if (state.by === 'refusal')
    return {
      reason: 'CloudRefused',
      message: sentence('the cloud refused the backup storage: {error}', { error: hidden(state.error) }),
      on,
    };
  const { message: text, params } = backupStorageVerdict(state);
  return { reason: 'BackupStorageFailing', message: { text, params }, on };
}
