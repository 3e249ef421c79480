import { Type } from '@sinclair/typebox';
import { objectName } from '../kit.ts';
import { pageQuery, pages } from '../paging.ts';
import { said, type SomeSchemas } from '../schema.ts';
import { deleted, resourceRead, summary } from '../../routes/resource.ts';
import { backupStorageAsked, cloudConnectionAsked, cloudConnectionChanged } from '../shapes/clouds.ts';

const group = 'Projects';
const project = { project: objectName };
const path = { ...project, connection: objectName };
const noProject = 'There is no such project.';
const noConnection = 'The project has no such cloud connection.';

/** The accounts that a project is linked to, and where its backups go (document 001, CoreProject > backupStorage). */
export const cloudSchemas = {
  'GET /projects/{project}/cloud-connections': {
    group,
    summary: 'Lists the cloud connections of a project, by name, without their keys.',
    path: project,
    query: Type.Object(pageQuery),
    ...pages(summary, 'The connections, each with what uses it.', { 404: noProject }),
  },
  'POST /projects/{project}/cloud-connections': {
    group,
    summary: 'Links a project to a cloud account or to a provider of managed databases.',
    path: project,
    body: { schema: cloudConnectionAsked },
    answers: { 201: said(resourceRead, 'The connection; its keys are checked now.') },
    refusals: { 404: noProject, 409: 'The name is taken, or the project is being deleted.' },
  },
  'PATCH /projects/{project}/cloud-connections/{connection}': {
    group,
    summary: 'Changes the settings or the keys of a cloud connection.',
    path,
    body: { schema: cloudConnectionChanged },
    answers: { 200: said(resourceRead, 'The connection as it is now.') },
    refusals: { 404: noConnection, 409: 'Its Secret was made by hand, or it was changed meanwhile.' },
  },
  'DELETE /projects/{project}/cloud-connections/{connection}': {
    group,
    summary: 'Removes a cloud connection with its keys.',
    path,
    answers: { 200: said(deleted, 'It is gone.') },
    refusals: { 404: noConnection, 409: 'Backup storage, a bucket, a database or an archive names it.' },
  },
  'POST /projects/{project}/backup-storage/save': {
    group,
    summary: 'Chooses where the backups of a project go; archives that exist keep their place.',
    path: project,
    body: { schema: backupStorageAsked },
    answers: { 200: said(resourceRead, 'The project with its backup storage.') },
    refusals: { 404: noProject, 409: 'It is being deleted.' },
  },
  'POST /projects/{project}/backup-storage/clear': {
    group,
    summary: 'Takes the backup storage from a project; the bucket and what is in it stay.',
    path: project,
    answers: { 200: said(resourceRead, 'The project without backup storage.') },
    refusals: { 404: noProject, 409: 'It is being deleted.' },
  },
} as const satisfies SomeSchemas;
