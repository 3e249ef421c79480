import { type CoreProject } from '../../../../crds/coreProject.ts';
import { label } from '../../../../crds/names.ts';
import { environmentsGoing } from '../../../../rules/project/deletion.ts';
import { projectsOfSecret } from '../../../../rules/project/secrets.ts';
import {
  any,
  byBackupKeys,
  byCluster,
  byGoing,
  byNamespace,
  byOwnKeys,
  byStorage,
  byVariable,
} from '../../../services/cluster/indexes.ts';
import { cloudConnections, clusters, projects } from '../../../services/cluster/kinds.ts';
import { everyChange, specRead, standingOf } from '../../../contract/reads.ts';
import { namespaces, secrets } from '../../../services/cluster/resources.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { environmentContents, projectContents } from '../observe/contents.ts';
import { copiedKinds, lateCopyOf } from '../ensures/lateCopies.ts';
import { type Watching, watching } from '../../../contract/controller.ts';
import { namesBy, namesByEach } from '../../../cache/names.ts';
import { isDeleting } from '../../../../rules/deleting.ts';

/** Whether a pull request environment is being created or removed. */
const isUnderWay = ({ status }: CoreProject): boolean =>
  (status?.pullRequests ?? []).some(({ openedAt, closedAt }) => openedAt === undefined || closedAt !== undefined);

/** Whether it waits for the contents of itself or of an environment. */
const isAwaiting = (project: CoreProject): boolean =>
  isDeleting(project) || environmentsGoing(project).length > 0 || isUnderWay(project);

/** The project in a namespace's label, existing or not, and those with an environment of that namespace. */
const projectsOf = (reader: CacheReader, labelled: string, namespace: string): readonly string[] => [
  ...(labelled === '' ? [] : [labelled]),
  ...namesBy(reader, projects, byNamespace, namespace),
];

/** The other resources that trigger a pass over a project. */
export const watches: readonly Watching[] = [
  watching({
    resource: namespaces,
    reads: everyChange,
    concerns: ({ metadata }, reader) => projectsOf(reader, metadata.labels?.[label.project] ?? '', metadata.name),
  }),
  watching({
    resource: clusters,
    reads: specRead,
    concerns: ({ metadata }, reader) => namesBy(reader, projects, byCluster, metadata.name),
  }),
  watching({
    resource: secrets,
    reads: everyChange,
    concerns: ({ metadata: { name } }, reader) => [
      ...namesBy(reader, projects, byBackupKeys, name),
      ...namesBy(reader, projects, byVariable, name),
      ...namesByEach(reader, projects, byStorage, namesBy(reader, cloudConnections, byOwnKeys, name)),
      ...projectsOfSecret(name),
      // The tokens of a project are kept in a Secret, too.
      ...namesBy(reader, projects, byGoing, any),
    ],
  }),
  watching({
    resource: cloudConnections,
    reads: specRead,
    concerns: ({ metadata }, reader) => namesBy(reader, projects, byStorage, metadata.name),
  }),
  ...copiedKinds.map((resource) =>
    watching({
      resource,
      reads: ({ metadata: { annotations, deletionTimestamp } }) => [annotations, deletionTimestamp],
      concerns: lateCopyOf,
    }),
  ),
  // Only a project that is being deleted, or whose environment is, waits for them.
  ...[...environmentContents, ...projectContents].map(({ resource }) =>
    watching({
      resource,
      reads: (object) => [object.spec.project, object.spec.environment, standingOf(object)],
      concerns: ({ spec }, reader) => {
        const project = reader.get(projects, spec.project ?? '');
        return project && isAwaiting(project) ? [project.metadata.name] : [];
      },
    }),
  ),
];
