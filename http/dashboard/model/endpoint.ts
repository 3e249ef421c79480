import type { Summary } from '../../api.ts';
import { detailOf } from './details.ts';

/** Where programs connect to a resource; nothing answers of a draft, though one that was stopped keeps its host. */
export const endpointOf = (resource: Summary): string =>
  resource.state === 'draft' ? '' : detailOf(resource, 'host') || detailOf(resource, 'endpoint');
