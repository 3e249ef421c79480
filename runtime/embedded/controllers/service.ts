import type { Change, Stored } from '../store.ts';
import { same } from '../api/json.ts';
import { generatedName } from '../api/generatedName.ts';
import { selects } from '../nodes/expression.ts';
import { type Pod, bucket, keyOf, placeAt, placeOf } from '../nodes/shapes.ts';
import { controlledBy } from './adopt.ts';
import { type Controller, type World, podsIn, stays } from './controller.ts';
import { type Backend, type Subset, subsetsOf } from './endpoints.ts';
import { type Service, shelves } from './shapes.ts';

const nameLabel = 'kubernetes.io/service-name';
const managedBy = 'endpointslice.kubernetes.io/managed-by';
const component = 'endpointslice-controller.k8s.io';
const headless = 'service.kubernetes.io/headless';
const mostInSlice = 100;

/** Keeps Endpoints and EndpointSlices of each Service with a selector. */
export function createServiceController({ store }: World): Controller {
  async function reconcile(key: string): Promise<null> {
    const service = store.get(placeAt(shelves.services, key)) as Service | undefined;
    if (!service) return dropEndpoints(key);
    const { selector } = service.spec ?? {};
    if (service.metadata.deletionTimestamp !== undefined || service.spec?.type === 'ExternalName') return null;
    if (!selector || Object.keys(selector).length === 0) return null;
    const pods = podsIn(store, service.metadata.namespace ?? '').filter((pod) =>
      selects({ matchLabels: selector }, pod.metadata.labels),
    );
    const subsets = subsetsOf(service, pods);
    await putEndpoints(service, subsets);
    await putSlices(service, subsets);
    return null;
  }

  /** Endpoints are nobody's but their Service's, by its name. */
  async function dropEndpoints(key: string): Promise<null> {
    const found = store.get(placeAt(shelves.endpoints, key));
    if (found?.metadata.labels?.[managed] === managedValue)
      await store.remove(placeOf(shelves.endpoints, found), { uid: found.metadata.uid });
    return null;
  }

  async function putEndpoints(service: Service, subsets: readonly Subset[]) {
    const { name, namespace = '', labels = {} } = service.metadata;
    const place = { bucket: shelves.endpoints, namespace, name };
    const wanted = {
      labels: { ...labels, [managed]: managedValue, ...(service.spec?.clusterIP === 'None' && { [headless]: '' }) },
      subsets: subsets.map(endpointSubset).filter((one) => 'addresses' in one || 'notReadyAddresses' in one),
    };
    const found = store.get(place);
    if (found && same(found.metadata.labels, wanted.labels) && same(found['subsets'] ?? [], wanted.subsets)) return;
    const shown = wanted.subsets.length > 0 ? { subsets: wanted.subsets } : {};
    if (!found) {
      if (stays(store, shelves.services, service))
        await store.create(place, {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata: { name, namespace, labels: wanted.labels },
          ...shown,
        });
      return;
    }
    await store.update(place, (old) => ({
      ...old,
      subsets: undefined,
      metadata: { ...old.metadata, labels: wanted.labels },
      ...shown,
    }));
  }

  async function putSlices(service: Service, subsets: readonly Subset[]) {
    const { name, namespace = '' } = service.metadata;
    const found = store
      .list(shelves.endpointSlices, namespace)
      .filter(({ metadata }) => metadata.labels?.[nameLabel] === name && metadata.labels[managedBy] === component);
    const wanted = slicesOf(service, subsets);
    for (const [index, slice] of wanted.entries()) {
      const old = found[index];
      if (old) await store.update(placeOf(shelves.endpointSlices, old), (now) => merged(now, slice));
      else if (stays(store, shelves.services, service)) await createSlice(service, slice);
    }
    for (const surplus of found.slice(wanted.length))
      await store.remove(placeOf(shelves.endpointSlices, surplus), { uid: surplus.metadata.uid });
  }

  function createSlice(service: Service, slice: Slice) {
    const { name, namespace = '' } = service.metadata;
    const generateName = `${name}-`;
    const place = { bucket: shelves.endpointSlices, namespace, name: generatedName(generateName) };
    const ownerReferences = [controlledBy({ ...service, apiVersion: 'v1', kind: 'Service' })];
    const { labels, ...content } = slice;
    return store.create(place, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: place.name, generateName, namespace, labels, ownerReferences },
      addressType: 'IPv4',
      ...content,
    });
  }

  function concerns({ bucket: changed, object, previous }: Change): readonly string[] {
    if (changed === shelves.services || changed === shelves.endpoints) return [keyOf(object)];
    if (changed === shelves.endpointSlices) {
      const name = object.metadata.labels?.[nameLabel];
      return name === undefined ? [] : [`${object.metadata.namespace ?? ''}/${name}`];
    }
    if (changed !== bucket.pods) return [];
    return (store.list(shelves.services, object.metadata.namespace) as readonly Service[])
      .filter(({ spec }) => spec?.selector && [object, previous].some((pod) => pod && chooses(spec.selector, pod)))
      .map(keyOf);
  }

  return { name: component, concerns, reconcile };
}

const managed = 'endpoints.kubernetes.io/managed-by';
const managedValue = 'endpoint-controller';

const chooses = (selector: Readonly<Record<string, string>> | undefined, pod: Stored) =>
  selector !== undefined && selects({ matchLabels: selector }, pod.metadata.labels);

function endpointSubset({ ports, backends }: Subset) {
  const ready = backends.filter((one) => one.ready).map(endpointAddress);
  const notReady = backends.filter((one) => !one.ready && !one.terminating).map(endpointAddress);
  return {
    ...(ready.length > 0 && { addresses: ready }),
    ...(notReady.length > 0 && { notReadyAddresses: notReady }),
    ...(ports.length > 0 && { ports }),
  };
}

const endpointAddress = ({ ip, hostname, pod }: Backend) => ({
  ip,
  ...(hostname !== undefined && { hostname }),
  ...(pod.spec?.nodeName !== undefined && { nodeName: pod.spec.nodeName }),
  targetRef: referenceTo(pod),
});

const referenceTo = ({ metadata: { namespace, name, uid } }: Pod) => ({ kind: 'Pod', namespace, name, uid });

interface Slice {
  readonly labels: Readonly<Record<string, string>>;
  readonly endpoints: readonly object[];
  readonly ports: readonly object[];
}

function slicesOf(service: Service, subsets: readonly Subset[]): readonly Slice[] {
  const labels = {
    ...service.metadata.labels,
    [managedBy]: component,
    [nameLabel]: service.metadata.name,
    ...(service.spec?.clusterIP === 'None' && { [headless]: '' }),
  };
  const slices = subsets.flatMap(({ ports, backends }) =>
    Array.from({ length: Math.ceil(backends.length / mostInSlice) }, (_, index) => ({
      labels,
      endpoints: backends.slice(index * mostInSlice, (index + 1) * mostInSlice).map(sliceEndpoint),
      ports: ports.map(({ name = '', ...port }) => ({ name, ...port })),
    })),
  );
  return slices.length > 0 ? slices : [{ labels, endpoints: [], ports: [] }];
}

const sliceEndpoint = ({ ip, hostname, pod, ready, serving, terminating }: Backend) => ({
  addresses: [ip],
  conditions: { ready, serving, terminating },
  ...(hostname !== undefined && { hostname }),
  ...(pod.spec?.nodeName !== undefined && { nodeName: pod.spec.nodeName }),
  targetRef: referenceTo(pod),
});

const merged = (old: Stored, { labels, ...content }: Slice): Stored => ({
  ...old,
  ...content,
  metadata: { ...old.metadata, labels },
});
