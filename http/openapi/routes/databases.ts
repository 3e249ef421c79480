import { Type } from '@sinclair/typebox';
import { instanceRoutes } from '../instanceRoutes.ts';
import { objectName, text } from '../kit.ts';
import { sharedQuery, pageQuery, pages } from '../paging.ts';
import { read, said, type SomeSchemas } from '../schema.ts';
import { connection, databaseAsked, databaseChanged, queryAnswer, queryAsked, stopAsked } from '../../routes/databases/shapes.ts';
import { change, created, deleted, dependent, deployed, done, resourceRead, summary } from '../../routes/resource.ts';

const path = { database: objectName };
const noDatabase = 'There is no such database.';

/** Databases, and their actions (document 001, Endpoints). */
export const databaseSchemas = {
  'GET /databases': {
    group: 'Databases',
    summary: 'Lists the databases by name.',
    path: {},
    query: Type.Object(sharedQuery),
    ...pages(summary, 'The databases.'),
  },
  'GET /databases/{database}': {
    group: 'Databases',
    summary: 'Reads a database with its spec and status.',
    path,
    answers: read(resourceRead, 'The database.'),
    refusals: { 404: noDatabase },
  },
  'POST /databases': {
    group: 'Databases',
    summary: 'Creates a database, as a draft or deployed.',
    path: {},
    body: { schema: databaseAsked },
    answers: { 201: said(created, 'The database is created; `deployed` says whether it is deployed too.') },
    refusals: { 409: 'The name is taken, or the cluster has no room for it. Nothing was saved.' },
  },
  'PATCH /databases/{database}': {
    group: 'Databases',
    summary: 'Saves settings of a database; they wait for a deploy, but for those of backups.',
    path,
    body: { schema: databaseChanged },
    answers: { 200: said(resourceRead, 'The database with its saved settings.') },
    refusals: {
      404: noDatabase,
      409: 'What runs cannot become what is asked for: its engine, its version, its storage, its nodes.',
    },
  },
  'GET /databases/{database}/dependents': {
    group: 'Databases',
    summary: 'Lists what uses it: services by their connections, and logical databases on it.',
    path,
    query: Type.Object(pageQuery),
    ...pages(dependent, 'By kind and name, as far as the caller reads these fields.', { 404: noDatabase }),
  },
  'GET /databases/{database}/changes': {
    group: 'Databases',
    summary: 'Lists what is saved and waits for a deploy, against what runs.',
    path,
    query: Type.Object(pageQuery),
    ...pages(change, 'The changes, by path.', { 404: noDatabase }),
  },
  'GET /databases/{database}/connection': {
    group: 'Databases',
    summary: 'Returns the connection of a database.',
    path,
    query: Type.Object({
      reveal: Type.Optional(text('`true` returns the password and the address too, and is logged.')),
    }),
    answers: { 200: said(connection, 'The connection.') },
    refusals: { 404: noDatabase, 409: 'The database has no connection yet.' },
  },
  'DELETE /databases/{database}': {
    group: 'Databases',
    summary: 'Deletes a database with all its data.',
    path,
    query: Type.Object({ confirmName: Type.Optional(text('The name of the database, as a confirmation.')) }),
    answers: { 200: said(deleted, 'It is being deleted.') },
    refusals: {
      404: noDatabase,
      409: 'Logical databases use the shared server, or another database has taken the name.',
    },
  },
  ...instanceRoutes('/databases/{database}', { group: 'Databases', one: 'a database', path, absent: noDatabase }),
  'POST /databases/{database}/deploy': {
    group: 'Databases',
    summary: 'Deploys the saved spec of a database.',
    path,
    answers: { 200: said(deployed, 'It is deployed.') },
    refusals: { 404: noDatabase, 409: 'The cluster has no room for it, or it is being deleted. Nothing was saved.' },
  },
  'POST /databases/{database}/stop': {
    group: 'Databases',
    summary: 'Makes a database a draft again: what runs of it is deleted, the data too, but those of MySQL.',
    path,
    body: { schema: stopAsked },
    answers: { 200: said(done, 'It is being stopped.') },
    refusals: {
      404: noDatabase,
      409: 'Logical databases use the shared server, it is a draft already, or it is being deleted.',
    },
  },
  'POST /databases/{database}/query': {
    group: 'Databases',
    summary: 'Runs a statement by the client of its engine, in the pod of the primary; it is not logged.',
    path,
    body: { schema: queryAsked, atMost: 1024 * 1024 },
    answers: { 200: said(queryAnswer, 'The statement was run; a failed one has another exit code than 0.') },
    refusals: { 404: noDatabase, 409: 'It is external, or not running.', 502: 'The statement was not run to its end.' },
  },
  'POST /databases/{database}/retry': {
    group: 'Databases',
    summary: 'Retries to provision a database that was given up.',
    path,
    answers: { 200: said(done, 'Provisioning is retried.') },
    refusals: { 404: noDatabase, 409: 'It was not given up, or it is being deleted.' },
  },
} as const satisfies SomeSchemas;
