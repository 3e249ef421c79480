import { Optional as optional, Type } from '@sinclair/typebox';
import { conditions, defineKind, history, type ObjectOf, observedGeneration, shape } from './kind.ts';

/** The record of one deploy of a service, or `<app>-active`, the record of what runs. */
export const coreDeployment = defineKind({
  kind: 'CoreDeployment',
  plural: 'coredeployments',
  shortNames: ['cdp'],
  describes: 'The record of a deploy of a service, written by the platform. Nothing starts or changes because of one.',
  columns: [],
  spec: Type.Object({
    app: shape.text('Name of the CoreApp.'),
    project: shape.text('Project ID.', { minLength: 1 }),
    environment: shape.dnsLabel('Environment of the service.', 63),
    image: shape.text(
      'Image of the deploy; `<repository>@<branch>` before its build is done, `function:<runtime>` of a function.',
    ),
    replicas: optional(shape.count('Number of copies when it was recorded.', { format: 'int32' })),
    changeTitle: optional(shape.text('What was deployed, in words.')),
    source: optional(shape.text('`Dashboard`, `GitHost` for a repository service, or `CoreApp controller`.')),
    actor: optional(shape.text('Who deployed: always `Dashboard`.')),
    commit: optional(shape.text('Commit of a repository service that pins one.')),
    buildRef: optional(shape.text('CoreBuild that made the image.')),
    imageDigest: optional(shape.text("The service's `status.resolvedImage` when it was recorded.")),
    trigger: optional(shape.text('`Reconciliation` for the record of what runs, else empty.')),
    eventLogRef: optional(shape.text('Kept for compatibility; nothing sets it.')),
    rollbackRef: optional(shape.text('Kept for compatibility; nothing sets it.')),
  }),
  status: Type.Object({
    phase: optional(
      shape.text('`Recorded`, or `RollingOut` and `Available` of what runs; without one it counts as `Recorded`.'),
    ),
    startedAt: optional(shape.time('When the deploy was recorded.', { nullable: true })),
    completedAt: optional(shape.time('The same moment.', { nullable: true })),
    availableReplicas: optional(shape.count('Copies that are available, of what runs.', { format: 'int32' })),
    healthCheck: optional(shape.text('`RollingOut` or `Available`, of what runs.')),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
    history: optional(history),
  }),
});

export type CoreDeployment = ObjectOf<typeof coreDeployment>;
export type DeploymentSpec = CoreDeployment['spec'];
