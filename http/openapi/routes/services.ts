import { Optional as optional, Type } from '@sinclair/typebox';
import { instanceRoutes } from '../instanceRoutes.ts';
import { objectName, text } from '../kit.ts';
import { deployedQuery, pageQuery, pages } from '../paging.ts';
import { read, said, type SomeSchemas } from '../schema.ts';
import { change, created, deleted, resourceRead, summary } from '../../routes/resource.ts';
import { logEvents, logQuery, serviceLog } from '../../routes/apps/logShapes.ts';
import { appAsked, appChanged, deployment, pod, statusItem } from '../../routes/apps/shapes.ts';

const path = { app: objectName };
const refusals = { 404: 'There is no such service, or the token may not see it.' } as const;
const mebibyte = 1024 * 1024;

/** Services: what they are, what they do, and how they are created, changed and deleted. */
export const serviceSchemas = {
  'GET /apps': {
    group: 'Services',
    summary: 'Lists the services, by name.',
    path: {},
    query: Type.Object(deployedQuery),
    ...pages(summary, 'The services that the caller may see.'),
  },
  'GET /apps/{app}': {
    group: 'Services',
    summary: 'Reads a service with its spec and status.',
    path,
    answers: read(resourceRead, 'The service; values of secrets are blank.'),
    refusals,
  },
  'GET /apps/{app}/status': {
    group: 'Services',
    summary: 'Returns the state of a service, in the words that the command line prints.',
    path,
    answers: read(statusItem, 'What it is doing.'),
    refusals,
  },
  'GET /apps/{app}/changes': {
    group: 'Services',
    summary: 'Lists what is saved and waits for a deploy, against what runs.',
    path,
    query: Type.Object(pageQuery),
    ...pages(change, 'The changes, by path.', refusals),
  },
  'GET /apps/{app}/pods': {
    group: 'Services',
    summary: 'Lists the pods of a service, by name.',
    path,
    query: Type.Object(pageQuery),
    ...pages(pod, 'The pods.', refusals),
  },
  'GET /apps/{app}/deployments': {
    group: 'Services',
    summary: 'Lists the deploys of a service that are kept, the newest first.',
    path,
    query: Type.Object(pageQuery),
    ...pages(deployment, 'The records.', refusals),
  },
  'GET /apps/{app}/logs': {
    group: 'Services',
    summary: 'Reads the newest lines of the logs of all copies of a service, the oldest first.',
    path,
    query: logQuery,
    answers: { 200: said(serviceLog, 'The lines, and the copies that could not be read.') },
    refusals,
  },
  'GET /apps/{app}/logs/stream': {
    group: 'Services',
    summary: 'Follows the logs of all copies of a service, those that come later too, as server-sent events.',
    path,
    query: logQuery,
    answers: { 200: { when: 'Each line as it is written.', content: [{ is: 'events', events: logEvents }] } },
    refusals,
  },
  ...instanceRoutes('/apps/{app}', { group: 'Services', one: 'a service', path, absent: refusals[404] }),
  'POST /apps': {
    group: 'Services',
    summary: 'Creates a service, as a draft or deployed.',
    path: {},
    body: { schema: appAsked, atMost: mebibyte },
    answers: { 201: said(created, 'It is created; `deployed` says whether it was deployed too.') },
    refusals: {
      409: 'The name is taken, the cluster has no room, or the project is not linked. Nothing was saved.',
    },
  },
  'PATCH /apps/{app}': {
    group: 'Services',
    summary: 'Saves settings of a service; those that replace no pods apply at once, the others wait for a deploy.',
    path,
    body: { schema: appChanged, atMost: mebibyte },
    answers: { 200: said(statusItem, 'What it is doing, with the settings saved.') },
    refusals: {
      ...refusals,
      409: 'The host belongs to another service or to the dashboard, or the service is being deleted.',
    },
  },
  'DELETE /apps/{app}': {
    group: 'Services',
    summary: 'Deletes a service with everything that runs of it.',
    path,
    query: Type.Object({ confirmName: optional(text('The name of the service, once more.')) }),
    answers: { 200: said(deleted, 'Its deletion has begun.') },
    refusals,
  },
} as const satisfies SomeSchemas;
