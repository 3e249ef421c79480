import type { Stored } from '../../store.ts';
import { listAt, textAt } from '../json.ts';
import { badRequest } from '../status.ts';

const namesIn = (pod: Stored, field: string) => listAt(pod, 'spec', field).map((one) => textAt(one, 'name'));

/** The container of a pod that a request is about: the one it names, or the only one there is. */
export function containerOf(pod: Stored, query: URLSearchParams): string {
  const all = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => namesIn(pod, field));
  const asked = query.get('container') ?? '';
  const { name } = pod.metadata;
  const [first = '', ...more] = namesIn(pod, 'containers');
  if (asked === '' && more.length === 0) return first;
  if (asked === '')
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`);
  if (all.includes(asked)) return asked;
  throw badRequest(`container ${asked} is not valid for pod ${name}`);
}

const statusFields = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'];

/** The status of one container of a pod. */
export const containerStatusOf = (pod: Stored, container: string): unknown =>
  statusFields.flatMap((field) => listAt(pod, 'status', field)).find((one) => textAt(one, 'name') === container);
