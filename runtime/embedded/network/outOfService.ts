import { at, listAt, textAt } from '../api/json.ts';
import type { Store, Stored } from '../store.ts';

const shelf = 'discovery.k8s.io/endpointslices';

/** Resolves once no Service counts a pod as ready. */
export function outOfService(store: Pick<Store, 'list' | 'onChange'>, pod: Stored): Promise<void> {
  const { namespace, uid } = pod.metadata;
  const isLed = () => store.list(shelf, namespace).some((slice) => isReadyIn(slice, uid));
  if (!isLed()) return Promise.resolve();
  return new Promise((done) => {
    const unsubscribe = store.onChange(({ bucket }) => {
      if (bucket !== shelf || isLed()) return;
      unsubscribe();
      done();
    });
  });
}

const isReadyIn = (slice: Stored, uid: string): boolean =>
  listAt(slice, 'endpoints').some(
    (one) => textAt(one, 'targetRef', 'uid') === uid && at(one, 'conditions', 'ready') !== false,
  );
