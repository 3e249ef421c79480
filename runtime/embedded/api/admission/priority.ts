import type { Stored } from '../../store.ts';
import { type Json, at, jsonAt, numberAt, textAt } from '../json.ts';
import { systemClasses } from '../kinds/systemPriorityClasses.ts';
import { forbidden } from '../status.ts';
import type { ApiStore } from '../store/store.ts';

const bucket = 'scheduling.k8s.io/priorityclasses';

/** Creates those classes of every cluster that are missing. */
export async function ensurePriorityClasses(store: ApiStore): Promise<void> {
  const places = systemClasses.map(({ name, ...more }) => ({ place: { bucket, namespace: '', name }, name, more }));
  await Promise.all(
    places
      .filter(({ place }) => !store.get(place))
      .map(({ place, name, more }) =>
        store.create(place, {
          apiVersion: 'scheduling.k8s.io/v1',
          kind: 'PriorityClass',
          metadata: { name, generation: 1 },
          preemptionPolicy: 'PreemptLowerPriority',
          ...more,
        }),
      ),
  );
}

/** A new pod with the priority of its class, or of the default one; refused where there is no class of that name. */
export function withPriority(store: ApiStore, pod: Json): Json {
  const spec = jsonAt(pod, 'spec');
  const name = textAt(spec, 'priorityClassName');
  if (name === '') {
    const found = defaultClass(store);
    return found ? withClass(pod, found) : pod;
  }
  const found = store.get({ bucket, namespace: '', name });
  if (found) return withClass(pod, found);
  const named = textAt(pod, 'metadata', 'name') || textAt(pod, 'metadata', 'generateName');
  throw forbidden({ group: '', plural: 'pods' }, named, `no PriorityClass with name ${name} was found`);
}

/** Of several defaults the lowest one. */
function defaultClass(store: ApiStore): Stored | undefined {
  const [lowest] = store
    .list(bucket)
    .filter((one) => at(one, 'globalDefault') === true)
    .toSorted((a, b) => numberAt(a, 'value') - numberAt(b, 'value'));
  return lowest;
}

const withClass = (pod: Json, found: Stored): Json => ({
  ...pod,
  spec: {
    ...jsonAt(pod, 'spec'),
    priorityClassName: found.metadata.name,
    priority: numberAt(found, 'value'),
    preemptionPolicy: textAt(found, 'preemptionPolicy') || 'PreemptLowerPriority',
  },
});
