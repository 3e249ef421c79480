import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { label } from '../../../../crds/names.ts';
import { deletionAsked, environmentsGoing } from '../../../../rules/project/deletion.ts';
import { namespaceOf } from '../../../../rules/project/environment.ts';
import type { Left, Remaining } from '../../../../rules/project/remaining.ts';
import { namespaces } from '../../../services/cluster/resources.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { cachedOf, type Content, environmentContents, heldBy, type Held, projectContents } from './contents.ts';
import { foundOf } from '../ask.ts';

const leftOf = (kinds: readonly Content[], reader: CacheReader, held: Held): readonly Left[] =>
  kinds.flatMap((kind) =>
    cachedOf(kind, reader, held).map(({ metadata: { name } }) => ({ kind: kind.resource.kind, name })),
  );

interface Terminating extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly status: string; readonly message?: string }[] };
}

/** What a terminating namespace waits for: the conditions of its deletion that hold. */
const terminationMessage = ({ status }: Terminating): string =>
  (status?.conditions ?? [])
    .filter((condition) => condition.status === 'True')
    .flatMap(({ message = '' }) => (message === '' ? [] : [message]))
    .join('; ');

/** The namespaces deleted with a project, or that of an environment. */
const namespacesLeft = (project: CoreProject, reader: CacheReader, environment?: string): readonly Left[] =>
  reader
    .indexed(namespaces, label.project, project.metadata.name)
    .filter((namespace) => foundOf(project, namespace) !== 'taken')
    .map((namespace) => ({
      kind: namespaces.kind,
      name: namespace.metadata.name,
      message: terminationMessage(namespace),
    }))
    .filter(({ name }) => environment === undefined || name === namespaceOf(project.metadata.name, environment));

/** What the deletions of a project and of its environments wait for, by the caches. */
export function remainingOf(project: CoreProject, reader: CacheReader): readonly Remaining[] {
  const { name, deletionTimestamp } = project.metadata;
  const { everything } = deletionAsked(project);
  if (deletionTimestamp !== undefined || everything) {
    const kinds = everything ? [...environmentContents, ...projectContents] : environmentContents;
    const left = leftOf(kinds, reader, heldBy(project));
    // Namespaces are listed only when everything else is deleted.
    const all = left.length > 0 ? left : namespacesLeft(project, reader);
    return [{ is: 'project', name, everything, left: all }];
  }
  return environmentsGoing(project).map((environment) => ({
    is: 'environment',
    name: environment,
    everything: true,
    left: [
      ...leftOf(environmentContents, reader, heldBy(project, environment)),
      ...namespacesLeft(project, reader, environment),
    ],
  }));
}
