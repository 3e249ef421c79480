import { Optional as optional, Type } from '@sinclair/typebox';
import { instanceRoutes } from '../instanceRoutes.ts';
import { objectName, text } from '../kit.ts';
import { pageQuery, pages, placedQuery } from '../paging.ts';
import { read, said, type SomeSchemas } from '../schema.ts';
import { deleted, dependent, done, resourceRead, summary } from '../../routes/resource.ts';
import { connection } from '../../routes/databases/shapes.ts';
import { logicalCreated, logicalDatabaseAsked } from '../../routes/logicalDatabases/shapes.ts';

const path = { logicalDatabase: objectName };
const noDatabase = 'There is no such logical database.';

/** Logical databases: databases on servers that run already (document 001, Endpoints). */
export const logicalDatabaseSchemas = {
  'GET /logical-databases': {
    group: 'Databases',
    summary: 'Lists the logical databases by name.',
    path: {},
    query: Type.Object({ ...placedQuery, server: optional(text('Only those on this server.')) }),
    ...pages(summary, 'The logical databases.'),
  },
  'GET /logical-databases/{logicalDatabase}': {
    group: 'Databases',
    summary: 'Reads a logical database with its spec and status.',
    path,
    answers: read(resourceRead, 'The logical database.'),
    refusals: { 404: noDatabase },
  },
  'POST /logical-databases': {
    group: 'Databases',
    summary: 'Creates a database on a server that runs already; there is no draft.',
    path: {},
    body: { schema: logicalDatabaseAsked },
    answers: { 201: said(logicalCreated, 'The logical database is stored, and its creation begins.') },
    refusals: { 409: 'The name is taken, or the server has this database already.' },
  },
  'DELETE /logical-databases/{logicalDatabase}': {
    group: 'Databases',
    summary: 'Deletes a logical database; on a shared server its data too.',
    path,
    query: Type.Object({ confirmName: Type.Optional(text('Its name, as a confirmation; it may be left out.')) }),
    answers: { 200: said(deleted, 'It is being deleted.') },
    refusals: { 404: noDatabase, 409: 'Another one has taken the name.' },
  },
  'GET /logical-databases/{logicalDatabase}/dependents': {
    group: 'Databases',
    summary: 'Lists what uses it: services by their connections.',
    path,
    query: Type.Object(pageQuery),
    ...pages(dependent, 'By kind and name, as far as the caller reads these fields.', { 404: noDatabase }),
  },
  'GET /logical-databases/{logicalDatabase}/connection': {
    group: 'Databases',
    summary: 'Returns the connection of a logical database.',
    path,
    query: Type.Object({
      reveal: Type.Optional(text('`true` returns the password and the address too, and is logged.')),
    }),
    answers: { 200: said(connection, 'The connection.') },
    refusals: { 404: noDatabase, 409: 'The logical database has no connection yet.' },
  },
  ...instanceRoutes('/logical-databases/{logicalDatabase}', {
    group: 'Databases',
    one: 'a logical database',
    path,
    absent: noDatabase,
  }),
  'POST /logical-databases/{logicalDatabase}/retry': {
    group: 'Databases',
    summary: 'Retries to provision a logical database that was given up.',
    path,
    answers: { 200: said(done, 'Provisioning is retried.') },
    refusals: { 404: noDatabase, 409: 'It was not given up, or it is being deleted.' },
  },
} as const satisfies SomeSchemas;
