import { Type } from '@sinclair/typebox';
import { instanceRoutes } from '../instanceRoutes.ts';
import { objectName, text } from '../kit.ts';
import { sharedQuery, pageQuery, pages } from '../paging.ts';
import { read, said, type SomeSchemas } from '../schema.ts';
import { change, created, deleted, dependent, deployed, done, resourceRead, summary } from '../../routes/resource.ts';
import { bucketConnection, objectStoreAsked, objectStoreChanged } from '../../routes/objectStores/shapes.ts';

const path = { store: objectName };
const group = 'Databases';
const noStore = 'There is no such object store.';

/** Buckets, and the servers that they are on. */
export const objectStoreSchemas = {
  'GET /object-stores': {
    group,
    summary: 'Lists the object stores by name.',
    path: {},
    query: Type.Object(sharedQuery),
    ...pages(summary, 'The object stores.'),
  },
  'GET /object-stores/{store}': {
    group,
    summary: 'Reads an object store with its spec and status.',
    path,
    answers: read(resourceRead, 'The object store.'),
    refusals: { 404: noStore },
  },
  'GET /object-stores/{store}/connection': {
    group,
    summary: 'Returns the connection of a bucket.',
    path,
    query: Type.Object({
      reveal: Type.Optional(text('`true` returns the secret key too, and is logged.')),
    }),
    answers: { 200: said(bucketConnection, 'The connection.') },
    refusals: { 404: noStore, 409: 'The bucket has no connection yet, or it is a server.' },
  },
  'POST /object-stores': {
    group,
    summary: 'Creates a bucket or a server, as a draft or deployed.',
    path: {},
    body: { schema: objectStoreAsked },
    answers: { 201: said(created, 'It is created; `deployed` says whether it is deployed too.') },
    refusals: { 409: 'The name is taken. Nothing was saved.' },
  },
  'PATCH /object-stores/{store}': {
    group,
    summary: 'Saves settings of an object store; they wait for a deploy.',
    path,
    body: { schema: objectStoreChanged },
    answers: { 200: said(resourceRead, 'The object store with its saved settings.') },
    refusals: { 404: noStore, 409: 'It is being deleted.' },
  },
  'GET /object-stores/{store}/dependents': {
    group,
    summary: 'Lists what uses it: services by their connections and build logs, and buckets on it.',
    path,
    query: Type.Object(pageQuery),
    ...pages(dependent, 'By kind and name, as far as the caller reads these fields.', { 404: noStore }),
  },
  'GET /object-stores/{store}/changes': {
    group,
    summary: 'Lists what is saved and waits for a deploy, against what runs.',
    path,
    query: Type.Object(pageQuery),
    ...pages(change, 'The changes, by path.', { 404: noStore }),
  },
  'DELETE /object-stores/{store}': {
    group,
    summary: 'Deletes an object store; a bucket that Core named goes with all that is in it.',
    path,
    query: Type.Object({ confirmName: Type.Optional(text('The name of the bucket, as a confirmation.')) }),
    answers: { 200: said(deleted, 'It is being deleted.') },
    refusals: { 404: noStore, 409: 'Buckets are on the server, or another object store has taken the name.' },
  },
  ...instanceRoutes('/object-stores/{store}', { group, one: 'an object store', path, absent: noStore }),
  'POST /object-stores/{store}/deploy': {
    group,
    summary: 'Deploys the saved spec of an object store.',
    path,
    answers: { 200: said(deployed, 'It is deployed.') },
    refusals: { 404: noStore, 409: 'It is being deleted. Nothing was saved.' },
  },
  'POST /object-stores/{store}/retry': {
    group,
    summary: 'Retries to provision an object store that was given up.',
    path,
    answers: { 200: said(done, 'Provisioning is retried.') },
    refusals: { 404: noStore, 409: 'It was not given up, or it is being deleted.' },
  },
} as const satisfies SomeSchemas;
