import { Optional as optional, Type } from '@sinclair/typebox';
import { variableAtMost } from '../../bodySize.ts';
import { instanceRoutes } from '../instanceRoutes.ts';
import { objectName, text } from '../kit.ts';
import { pageQuery, pages, resourceQuery } from '../paging.ts';
import { read, said, type SomeSchemas } from '../schema.ts';
import { created, deleted, resourceRead, summary } from '../../routes/resource.ts';
import {
  compliance,
  environmentAsked,
  projectAsked,
  projectSettings,
  sharedVariable,
  tagsAsked,
  variableAsked,
  variableNamed,
  variableRemoved,
  variableSet,
} from '../../routes/projects/shapes.ts';

const group = 'Projects';
const path = { project: objectName };
const noProject = 'There is no such project.';
const isDeleted = 'It is being deleted.';

/** Projects, with their environments, variables and required tags (document 001, Endpoints and Dashboard behaviors). */
export const projectSchemas = {
  'GET /projects': {
    group,
    summary: 'Lists the projects, by name.',
    path: {},
    query: Type.Object({ project: Type.Optional(text('Only the one of this name.')), ...resourceQuery }),
    ...pages(summary, 'The projects.'),
  },
  'GET /projects/{project}': {
    group,
    summary: 'Reads a project with its spec and status.',
    path,
    answers: read(resourceRead, 'The project.'),
    refusals: { 404: noProject },
  },
  'POST /projects': {
    group,
    summary: 'Creates a project with the environment `production`.',
    path: {},
    body: { schema: projectAsked, optional: true },
    answers: { 201: said(created, 'It is created.') },
    refusals: { 409: 'No cluster was named, and none is the only or the default one.' },
  },
  'PATCH /projects/{project}': {
    group,
    summary: 'Changes the settings of a project, which apply at once.',
    path,
    body: { schema: projectSettings },
    answers: { 200: said(resourceRead, 'The project with its new settings.') },
    refusals: {
      404: noProject,
      409: 'The region cannot change while databases run in the cluster, or it is being deleted.',
    },
  },
  'DELETE /projects/{project}': {
    group,
    summary: 'Deletes a project with everything in it.',
    path,
    query: Type.Object({ confirmName: Type.Optional(text('The name of the project, once more.')) }),
    answers: { 200: said(deleted, 'It is being deleted.') },
    refusals: { 404: noProject, 409: 'Another has taken its name.' },
  },
  ...instanceRoutes('/projects/{project}', { group, one: 'a project', path, absent: noProject }),
  'POST /projects/{project}/environments': {
    group,
    summary: 'Adds an environment to a project.',
    path,
    body: { schema: environmentAsked },
    answers: { 201: said(resourceRead, 'The project with its new environment.') },
    refusals: {
      404: noProject,
      409: 'The project has an environment of this name, has as many as it may, or is being deleted.',
    },
  },
  'DELETE /projects/{project}/environments/{environment}': {
    group,
    summary: 'Deletes an environment of a project with everything in it.',
    path: { ...path, environment: objectName },
    query: Type.Object({ confirmName: Type.Optional(text('The name of the environment, once more.')) }),
    answers: { 200: said(deleted, 'It is being deleted, and leaves the list of the project last.') },
    refusals: {
      404: 'There is no such project or environment.',
      409: 'It is the last one, or the project is being deleted.',
    },
  },
  'GET /projects/{project}/variables': {
    group,
    summary: 'Lists the shared variables of a project, by environment and name.',
    path,
    query: Type.Object({ environment: optional(text('Only those of this environment.')), ...pageQuery }),
    ...pages(sharedVariable, 'The variables; no secret has a value.', { 404: noProject }),
  },
  'POST /projects/{project}/variables/set': {
    group,
    summary: 'Sets a shared variable; one of the other kind becomes one of this kind.',
    path,
    body: { schema: variableAsked, atMost: variableAtMost },
    answers: { 200: said(variableSet, 'It is set; services read it when their pods start.') },
    refusals: { 404: noProject, 409: isDeleted },
  },
  'POST /projects/{project}/variables/delete': {
    group,
    summary: 'Removes a shared variable; one that is not there is no error.',
    path,
    body: { schema: variableNamed },
    answers: { 200: said(variableRemoved, 'It is not there any more.') },
    refusals: { 404: noProject, 409: isDeleted },
  },
  'GET /projects/{project}/compliance': {
    group,
    summary: 'Reports whether everything in a project runs on nodes with its required tags.',
    path,
    answers: read(compliance, 'The report.'),
    refusals: { 404: noProject },
  },
  'POST /projects/{project}/compliance': {
    group,
    summary: 'Saves the tags that a node needs to run anything of a project.',
    path,
    body: { schema: tagsAsked },
    answers: { 200: said(compliance, 'The report with the tags that are required now.') },
    refusals: {
      404: noProject,
      409: 'A check failed, which the error names with the tag and the node or database. Nothing was saved.',
    },
  },
} as const satisfies SomeSchemas;
