import { Optional as optional, Type } from '@sinclair/typebox';
import { conditions, defineKind, type ObjectOf, observedGeneration, shape } from './kind.ts';

/** The report on whether the cluster can run workloads that must survive the loss of a node. */
export const coreHAReadiness = defineKind({
  kind: 'CoreHAReadiness',
  plural: 'corehareadinesses',
  shortNames: ['cha'],
  describes: 'The report whether the cluster has the three healthy nodes that high availability takes.',
  columns: [
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Healthy nodes', type: 'integer', jsonPath: '.status.healthyNodes' },
    { name: 'Checked', type: 'date', jsonPath: '.status.checkedAt' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  spec: Type.Object({
    requestedAt: optional(shape.time('When the check was last asked for; a later moment has it made again.')),
  }),
  status: Type.Object({
    healthyNodes: optional(shape.count('Number of healthy nodes that were found.', { format: 'int32', minimum: 0 })),
    checkedAt: optional(shape.time('When they were counted.', { nullable: true })),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
  }),
});

export type CoreHAReadiness = ObjectOf<typeof coreHAReadiness>;
