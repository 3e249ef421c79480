import { Effect } from 'effect';
import { type CoreApp, coreApp } from '../../crds/coreApp.ts';
import { coreProject } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { apps, projects } from '../../runtime/services/cluster/kinds.ts';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { image, draft } from './service.ts';
import { inSystem, projectName } from './project.ts';

/** The name of a service among many; names are in the order of numbers. */
export const serviceNumber = (number: number): string => `service-${String(number).padStart(5, '0')}`;

/** A draft that no pass changes, made as a person makes it. */
export const draftNumber = (number: number): CoreApp => ({
  ...typeMeta(coreApp),
  metadata: { ...inSystem(serviceNumber(number)), annotations: { ...draft, [annotation.paused]: 'true' } },
  spec: {
    project: projectName,
    environment: 'production',
    source: { image },
    deploy: { enabled: false },
  },
});

const project = {
  ...typeMeta(coreProject),
  metadata: inSystem(projectName),
  spec: { clusterRef: { name: 'local' }, environments: ['production'] },
};

/** A project with so many drafts. */
export const manyServices = (cluster: ClusterShape, count: number): Promise<void> =>
  Effect.runPromise(
    Effect.andThen(
      cluster.create(projects, project),
      Effect.forEach(
        Array.from({ length: count }, (_, number) => draftNumber(number)),
        (app) => cluster.create(apps, app),
        { concurrency: 16, discard: true },
      ),
    ),
  );
