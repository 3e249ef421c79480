import type { RouterContext } from '@koa/router';
import type { Secret } from '../../../crds/builtIn.ts';
import type { CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import { bucketSecretName } from '../../../crds/names.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { secretText } from '../../../runtime/services/secretText.ts';
import { refuse } from '../../orThrow.ts';
import type { BucketConnection } from './shapes.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import { sendPlain } from '../../response.ts';
import type { ServerContext } from '../../context.ts';

const connectionIn = (secret: Secret, reveals: boolean): BucketConnection => ({
  endpoint: secretText(secret, 'endpoint'),
  region: secretText(secret, 'region'),
  bucket: secretText(secret, 'bucket'),
  accessKeyId: secretText(secret, 'accessKeyId'),
  ...(reveals ? { secretAccessKey: secretText(secret, 'secretAccessKey') } : {}),
});

/** How programs reach a bucket, kept by no cache; its secret key is returned on request alone, which is logged. */
export function sendBucketConnection(
  ctx: RouterContext,
  { operator, log }: ServerContext,
  access: Access,
  { store, reveals }: { readonly store: CoreObjectStore; readonly reveals: boolean },
): void {
  const { metadata, spec, kind = 'CoreObjectStore' } = store;
  const { name } = metadata;
  if (spec.mode === 'Server') return refuse(ctx, 409, 'an object store server has no connection of its own');
  const namespace = namespaceOf(spec.project ?? '', spec.environment ?? '');
  const found = operator.caches.get(owned.secrets, bucketSecretName(name), namespace);
  if (!found) return refuse(ctx, 409, 'the bucket has no connection yet');
  if (reveals) log('info', 'Connection details revealed', { kind, name, by: callerIn(access).username });
  return sendPlain(ctx, connectionIn(found, reveals));
}
