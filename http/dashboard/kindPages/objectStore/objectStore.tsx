import type { Read } from '../../../api.ts';
import { lazyPart } from '../../components/lazy.tsx';
import { addressOf } from '../../routes.ts';
import { programName } from '../../model/command.ts';
import { deployedActions } from '../actions.ts';
import { kindPage } from '../kindPage.ts';
import { pathTo } from '../../api.ts';

const BucketFacts = lazyPart(async () => (await import('./bucketFacts.tsx')).BucketFacts, 260);

/** The pages of object stores: where they are and how to connect, with deploy and retry. */
export const objectStoreKind = kindPage<Read>({
  kind: 'CoreObjectStore',
  plural: 'coreobjectstores',
  label: 'object stores',
  path: (store) => pathTo('GET /object-stores/{store}', { store }),
  hasPasses: true,
  title: ({ resource }) => resource.displayName,
  links: ({ resource }) => [{ to: addressOf.bucket(resource), label: 'Open bucket' }],
  flags: () => [],
  actions: ({ instance, machines }) => deployedActions(instance, machines),
  facts: ({ object }) => <BucketFacts store={object} />,
  command: ({ name }) => `${programName} stores get ${name}`,
  views: [],
  columns: [],
});
