import { at, listAt, textAt } from '../../api/json.ts';
import type { Stored } from '../../store.ts';
import { milli } from '../quantity.ts';

/** A limit or request of a container in the downward API: a multiple of the divisor, rounded up. */
export function resourceOf(pod: Stored, reference: unknown, own: unknown): string {
  const [sort = '', resource = ''] = textAt(reference, 'resource').split('.');
  const named = textAt(reference, 'containerName');
  const containers = [...listAt(pod, 'spec', 'initContainers'), ...listAt(pod, 'spec', 'containers')];
  const container = named === '' ? own : containers.find((one) => textAt(one, 'name') === named);
  const amount = milli((at(container, 'resources', sort, resource) ?? '0') as string | number);
  const divisor = milli((at(reference, 'divisor') ?? '1') as string | number) || 1_000;
  return String(Math.ceil(amount / divisor));
}
