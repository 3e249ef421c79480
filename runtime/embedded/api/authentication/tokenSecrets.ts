import type { Change, Place, Stored } from '../../store.ts';
import { jsonAt, textAt } from '../json.ts';
import type { ApiStore } from '../store/store.ts';
import type { AccountTokens } from './accountTokens.ts';

const type = 'kubernetes.io/service-account-token';
const accountName = 'kubernetes.io/service-account.name';
const accountUid = 'kubernetes.io/service-account.uid';

/** Fills the Secrets that keep a token of a service account, and deletes those whose account is gone. */
export function keepTokenSecrets(store: ApiStore, tokens: AccountTokens, caPem: string): { readonly stop: () => void } {
  function hear({ type: change, bucket, object }: Change) {
    if (bucket === '/secrets' && change !== 'DELETED') look(object);
    if (bucket !== '/serviceaccounts' || change === 'MODIFIED') return;
    const { namespace = '', name } = object.metadata;
    for (const secret of store.list('/secrets', namespace)) if (accountOf(secret) === name) look(secret);
  }

  /** What changes or goes in between is heard of again. */
  function look(secret: Stored) {
    if (textAt(secret, 'type') !== type || secret.metadata.deletionTimestamp !== undefined) return;
    void treat(secret).catch(() => null);
  }

  async function treat(secret: Stored) {
    const { namespace = '', name, uid } = secret.metadata;
    const place: Place = { bucket: '/secrets', namespace, name };
    const account = store.get({ bucket: '/serviceaccounts', namespace, name: accountOf(secret) });
    const meant = secret.metadata.annotations?.[accountUid] ?? '';
    if (!account || (meant !== '' && meant !== account.metadata.uid)) return void (await store.remove(place, { uid }));
    if (isFilled(secret, caPem)) return;
    await store.update(place, (old) => (isFilled(old, caPem) ? old : filled(old, account)));
  }

  function filled(secret: Stored, account: Stored): Stored {
    const { namespace = '', name, annotations } = secret.metadata;
    const data = jsonAt(secret, 'data');
    const token = textAt(data, 'token') || encoded(tokens.issueFor(account, name));
    return {
      ...secret,
      metadata: { ...secret.metadata, annotations: { ...annotations, [accountUid]: account.metadata.uid } },
      data: { ...data, 'ca.crt': encoded(caPem), namespace: encoded(namespace), token },
    };
  }

  const stop = store.onChange(hear);
  store.list('/secrets').forEach(look);
  return { stop };
}

const encoded = (text: string) => Buffer.from(text).toString('base64');
const accountOf = ({ metadata }: Stored) => metadata.annotations?.[accountName] ?? '';

const isFilled = (secret: Stored, caPem: string) =>
  textAt(secret, 'data', 'token') !== '' &&
  textAt(secret, 'data', 'ca.crt') === encoded(caPem) &&
  textAt(secret, 'data', 'namespace') !== '' &&
  secret.metadata.annotations?.[accountUid] !== undefined;
