import { objectName } from '../kit.ts';
import { said, type SomeSchemas } from '../schema.ts';
import { usage, usageQuery } from '../shapes/usage.ts';

const answers = { 200: said(usage, 'The values, or why there are none.') };
const failed = 'The store of metrics failed.';

/** What services, databases and projects use. */
export const usageSchemas = {
  'GET /apps/{app}/metrics': {
    group: 'Services',
    summary: 'Reads what a service used: CPU, memory, network and requests.',
    path: { app: objectName },
    query: usageQuery,
    answers,
    refusals: { 404: 'There is no such service, or the token may not see it.', 502: failed },
  },
  'GET /databases/{database}/metrics': {
    group: 'Databases',
    summary: 'Reads what a database used: CPU, memory, network and storage.',
    path: { database: objectName },
    query: usageQuery,
    answers,
    refusals: { 404: 'There is no such database.', 502: failed },
  },
  'GET /projects/{project}/metrics': {
    group: 'Projects',
    summary: 'Reads what everything in the environments of a project used: CPU, memory and network.',
    path: { project: objectName },
    query: usageQuery,
    answers,
    refusals: { 404: 'There is no such project.', 502: failed },
  },
} as const satisfies SomeSchemas;
