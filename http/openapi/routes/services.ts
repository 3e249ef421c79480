import { itemsOf, objectName } from '../kit.ts';
import { read, said, type Schemas } from '../schema.ts';
import { done } from '../shapes/access.ts';
import { resourceRead, summary } from '../shapes/builds.ts';

const noService = 'There is no such service, or the token may not see it.';

/** Services, and the actions on their builds (document 000, Endpoints). */
export const serviceSchemas = {
  'GET /apps': {
    group: 'Services',
    summary: 'Lists the services by name.',
    path: {},
    answers: read(itemsOf(summary), 'The services that the caller may see.'),
  },
  'GET /apps/{app}': {
    group: 'Services',
    summary: 'Reads a service with its spec and status.',
    path: { app: objectName },
    answers: read(resourceRead, 'The service; values of secrets are blank.'),
    refusals: { 404: noService },
  },
  'POST /apps/{app}/build': {
    group: 'Services',
    summary: 'Repeats the current build of a service.',
    path: { app: objectName },
    answers: { 200: said(done, 'The build starts over.') },
    refusals: { 404: noService, 409: 'The service has not been built yet.' },
  },
  'POST /apps/{app}/build/cancel': {
    group: 'Services',
    summary: 'Cancels the current build of a service.',
    path: { app: objectName },
    answers: { 200: said(done, 'The build is being cancelled.') },
    refusals: { 404: noService, 409: 'The service has not been built yet, or the build has finished.' },
  },
} as const satisfies Schemas<
  'GET /apps' | 'GET /apps/{app}' | 'POST /apps/{app}/build' | 'POST /apps/{app}/build/cancel'
>;
