import type { Secret } from '../../crds/builtIn.ts';
import { secrets } from '../../runtime/resources.ts';
import type { Serving } from '../serving.ts';
import { authSecret } from './directory.ts';

/** After a write that failed it is tried again so much later. */
const againMs = 5_000;

/** Somebody who sees to the sign-in Secret, whoever writes it. */
export interface Tending {
  /** Until the newest version that the caches know was gone through. */
  readonly done: () => Promise<void>;
  readonly stop: () => void;
}

/** Goes over one version of the Secret; what went wrong, or null. */
export type Tend = (secret: Secret) => Promise<string | null>;

/**
 * Goes over the sign-in Secret now and whenever somebody writes it, one version after the other, until the newest was
 * gone through: whoever wrote meanwhile is heard too.
 */
export function tendAuthSecret({ operator, log }: Serving, tend: Tend): Tending {
  const cache = operator.caches.of(secrets);
  let working: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const later = (why: string) => {
    log('warn', 'the sign-in Secret could not be tended', { why });
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void work(), againMs).unref();
  };
  const goOver = async () => {
    for (let done: Secret | undefined; ;) {
      const secret = cache.get(authSecret);
      if (!secret || secret === done || isStopped) return;
      const failure = await tend(secret).catch(String);
      if (failure !== null) return later(failure);
      done = secret;
    }
  };
  const work = (): Promise<void> => {
    working ??= goOver().finally(() => (working = null));
    return working;
  };

  void work();
  const forget = cache.onChange(({ object, type }) => {
    if (object.metadata.name === authSecret && type !== 'deleted') void work();
  });
  return {
    done: work,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      forget();
    },
  };
}
