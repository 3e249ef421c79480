import { type Secret, secrets } from '../../runtime/resources.ts';
import type { Serving } from '../serving.ts';
import { authSecret } from './directory.ts';

/**
 * Goes over the sign-in Secret now and whenever somebody writes it, one version after the other, until the newest was
 * gone through: whoever wrote meanwhile is heard too. Returns the unsubscriber.
 */
export function tendAuthSecret({ operator, log }: Serving, tend: (secret: Secret) => Promise<void>): () => void {
  const cache = operator.caches.of(secrets);
  let working = false;

  const work = async () => {
    if (working) return;
    working = true;
    try {
      for (let done: Secret | undefined; ;) {
        const secret = cache.get(authSecret);
        if (!secret || secret === done) return;
        await tend(secret);
        done = secret;
      }
    } catch (error) {
      log('warn', 'the sign-in Secret could not be tended', { why: String(error) });
    } finally {
      working = false;
    }
  };

  void work();
  return cache.onChange(({ object, type }) => {
    if (object.metadata.name === authSecret && type !== 'deleted') void work();
  });
}
