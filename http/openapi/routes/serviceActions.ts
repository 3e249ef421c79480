import { Optional as optional, Type } from '@sinclair/typebox';
import { variableAtMost } from '../../bodySize.ts';
import { objectName, text } from '../kit.ts';
import { pageQuery, pages } from '../paging.ts';
import { said, type SomeSchemas } from '../schema.ts';
import { deployed, done } from '../../routes/resource.ts';
import {
  environmentDeployed,
  scaled,
  variable,
  variableKey,
  variableRemoved,
  variableSet,
  variableWritten,
} from '../../routes/apps/shapes.ts';

const path = { app: objectName };
const noService = 'There is no such service, or the token may not see it.';
const refusals = { 404: noService, 409: 'The service is being deleted.' } as const;
const noRoom = 'The cluster has no room for it. Nothing was saved.';
const group = 'Services';

const setting = (kind: string) =>
  ({
    group,
    summary: `Sets a ${kind} variable of a service; the next deploy hands it to the pods.`,
    path,
    body: { schema: variableSet, atMost: variableAtMost },
    answers: { 200: said(variableWritten, 'It is saved.') },
    refusals,
  }) as const;
const removing = (kind: string) =>
  ({
    group,
    summary: `Removes a ${kind} variable of a service; one that is not there is no error.`,
    path,
    body: { schema: variableKey },
    answers: { 200: said(variableRemoved, 'It is gone, from the next deploy on.') },
    refusals,
  }) as const;

/** What is done with services: deploys, variables, copies, and their builds (document 000, Endpoints). */
export const serviceActionSchemas = {
  'POST /apps/{app}/deploy': {
    group,
    summary: 'Deploys a service as it is saved; without changes its pods restart.',
    path,
    answers: { 200: said(deployed, 'The deploy is saved, and the operator takes it up.') },
    refusals: { ...refusals, 409: noRoom },
  },
  'POST /apps/{app}/rollback': {
    group,
    summary: 'Deploys what an earlier record holds: the image and the copies, or of a repository the copies alone.',
    path,
    body: { schema: Type.Object({ revision: optional(text('The name of a record of this service.')) }) },
    answers: { 200: said(deployed, 'It is deployed; `note` says what came back.') },
    refusals: { ...refusals, 409: 'A function cannot be rolled back, or the cluster has no room.' },
  },
  'POST /apps/{app}/retry': {
    group,
    summary: 'Tries again to bring up a service that was given up.',
    path,
    answers: { 200: said(done, 'It is tried again.') },
    refusals: { ...refusals, 409: 'It was not given up.' },
  },
  'POST /apps/{app}/scale': {
    group,
    summary: 'Sets the number of copies, at once and without a deploy.',
    path,
    body: {
      schema: Type.Object({ replicas: Type.Integer({ minimum: 0, maximum: 1000 }) }),
      whole: 'replicas must be a whole number from 0 to 1000',
    },
    answers: { 200: said(scaled, 'It is saved.') },
    refusals,
  },
  'POST /apps/{app}/networking/delete': {
    group,
    summary: 'Takes the domain of a service away, and records it.',
    path,
    answers: { 200: said(deployed, 'It is taken away.') },
    refusals,
  },
  'GET /apps/{app}/variables': {
    group,
    summary: 'Lists the variables of a service, by name, with those that come from elsewhere.',
    path,
    query: Type.Object(pageQuery),
    ...pages(variable, 'The variables; no secret has a value.', { 404: noService }),
  },
  'POST /apps/{app}/config/set': setting('plain'),
  'POST /apps/{app}/config/delete': removing('plain'),
  'POST /apps/{app}/secrets/set': setting('secret'),
  'POST /apps/{app}/secrets/delete': removing('secret'),
  'POST /projects/{project}/deploy': {
    group,
    summary: 'Deploys everything of an environment that waits for a deploy, drafts included.',
    path: { project: objectName },
    body: { schema: Type.Object({ environment: text() }) },
    answers: { 200: said(environmentDeployed, 'What was deployed, and what was refused and why.') },
    refusals: { 404: 'There is no such project.' },
  },
  'POST /apps/{app}/build': {
    group,
    summary: 'Builds the current build of a service again.',
    path,
    answers: { 200: said(done, 'It builds again.') },
    refusals: { ...refusals, 409: 'The service has not been built yet.' },
  },
  'POST /apps/{app}/build/cancel': {
    group,
    summary: 'Cancels the current build of a service.',
    path,
    answers: { 200: said(done, 'It is being cancelled.') },
    refusals: { ...refusals, 409: 'The service has not been built yet, or the build has finished.' },
  },
} as const satisfies SomeSchemas;
