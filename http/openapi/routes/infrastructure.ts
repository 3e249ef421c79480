import { Type } from '@sinclair/typebox';
import { itemsOf, text } from '../kit.ts';
import { read, said, type SomeSchemas } from '../schema.ts';
import { clusterSize, haReadiness } from '../shapes/infrastructure.ts';

/** What databases depend on outside themselves: the provider of managed ones, and the nodes. */
export const infrastructureSchemas = {
  'GET /managed-db/cluster-sizes': {
    group: 'Databases',
    summary: 'Lists the sizes that the provider of managed databases offers.',
    path: {},
    query: Type.Object({
      project: text('The project of the connection.'),
      connection: text('The CoreCloudConnection that the provider is asked by.'),
      engine: text('`MySQL` or `Postgres`.'),
    }),
    answers: { 200: said(itemsOf(clusterSize), "The sizes, in the provider's order.") },
    refusals: {
      404: 'There is no such connection.',
      409: 'The connection belongs to another project, or is unavailable.',
      502: 'The provider did not answer.',
    },
  },
  'GET /ha-readiness': {
    group: 'Platform',
    summary: 'Reports whether the cluster has the nodes that high availability requires.',
    path: {},
    answers: read(haReadiness, 'The newest report, a ready one first.'),
  },
  'POST /ha-readiness/check': {
    group: 'Platform',
    summary: 'Counts the healthy nodes and records the report.',
    path: {},
    answers: { 200: said(haReadiness, 'What was found.') },
  },
} as const satisfies SomeSchemas;
