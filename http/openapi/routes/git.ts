import { Type } from '@sinclair/typebox';
import { itemsOf, objectName } from '../kit.ts';
import { pageQuery, pages } from '../paging.ts';
import { read, said, type SomeSchemas } from '../schema.ts';
import { resourceRead } from '../../routes/resource.ts';
import { installation, installationAsked, prEnvironmentsAsked, pullRequestItem, repository } from '../shapes/git.ts';

const group = 'Projects';
const path = { project: objectName };
const refusals = { 404: 'There is no such project.', 409: 'It is being deleted.' } as const;

/** How projects reach their repositories (document 001, Dashboard behaviors). */
export const gitSchemas = {
  'GET /git/installations': {
    group,
    summary: "Lists the accounts in which the platform's Git host application is installed.",
    path: {},
    answers: read(itemsOf(installation), 'The first hundred installations, as the Git host lists them.'),
    refusals: { 409: 'The platform has no Git host application.', 502: 'The Git host does not answer.' },
  },
  'POST /projects/{project}/git/connect': {
    group,
    summary: "Links a project to the Git host, as an installation of the platform's application.",
    path,
    body: { schema: installationAsked },
    answers: { 200: said(resourceRead, 'The project with its link.') },
    refusals: {
      ...refusals,
      409: 'It is being deleted, or the name of its connection is taken.',
      502: 'The Git host does not answer whether there is such an installation.',
    },
  },
  'POST /projects/{project}/git/disconnect': {
    group,
    summary: 'Takes the link to the Git host from a project; the connection and its Secret stay.',
    path,
    answers: { 200: said(resourceRead, 'The project without a link.') },
    refusals,
  },
  'GET /projects/{project}/git/repositories': {
    group,
    summary: 'Lists the repositories that a project may build, by name.',
    path,
    query: Type.Object(pageQuery),
    ...pages(repository, 'The first hundred repositories of its installation.', {
      404: 'There is no such project.',
      409: 'It is not linked to the Git host.',
      502: 'That does not answer.',
    }),
  },
  'GET /projects/{project}/pull-requests': {
    group,
    summary: 'Lists the pull requests of a project that have an environment.',
    path,
    query: Type.Object(pageQuery),
    ...pages(pullRequestItem, 'The pull requests, the oldest first.', { 404: 'There is no such project.' }),
  },
  'POST /projects/{project}/pr-environments/save': {
    group,
    summary: 'Turns the environments of pull requests on or off, and says what they copy.',
    path,
    body: { schema: prEnvironmentsAsked },
    answers: { 200: said(resourceRead, 'The project with its new settings.') },
    refusals,
  },
} as const satisfies SomeSchemas;
