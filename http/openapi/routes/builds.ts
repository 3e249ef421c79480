import { Optional as optional, Type } from '@sinclair/typebox';
import { objectName, oneOf } from '../kit.ts';
import { pages, searchQuery } from '../paging.ts';
import { read, said, type SomeSchemas, type SuccessResponse } from '../schema.ts';
import { done } from '../../routes/resource.ts';
import { buildRead, buildSummary } from '../../routes/builds/shapes.ts';
import { explanation, logLines, transitions } from '../../routes/machines/shapes.ts';

const refusals = { 404: 'There is no such build.' } as const;
const path = { build: objectName } as const;
const log: SuccessResponse = {
  when: 'The lines; with `follow`, each as it is written.',
  content: [{ is: 'text' }, { is: 'events', events: logLines }],
};

/** Builds, their explanations, and their logs. */
export const buildSchemas = {
  'GET /builds': {
    group: 'Builds',
    summary: 'Lists builds, newest first.',
    path: {},
    query: Type.Object({
      app: optional(Type.String({ description: 'Only builds of this service.' })),
      state: optional(Type.String({ description: 'One or more states, separated by commas.' })),
      ...searchQuery,
    }),
    ...pages(buildSummary, 'The builds.'),
  },
  'GET /builds/{build}': {
    group: 'Builds',
    summary: 'Reads a build with its spec and status.',
    path,
    answers: read(buildRead, 'The build.'),
    refusals,
  },
  'GET /builds/{build}/transitions': {
    group: 'Builds',
    summary: 'Lists the recorded transitions of a build, oldest first.',
    path,
    answers: read(transitions, 'The transitions, each with its row of the table.'),
    refusals,
  },
  'GET /builds/{build}/explain': {
    group: 'Builds',
    summary: 'Explains why a build is in its state, and what happens next.',
    path,
    answers: read(explanation, 'The decision and its facts.'),
    refusals,
  },
  'GET /builds/{build}/log': {
    group: 'Builds',
    summary: 'Reads the log of a build, or follows it as server-sent events.',
    path,
    query: Type.Object({
      container: optional(oneOf('builder', 'git')),
      tail: optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Only this many of the newest lines.' }),
      ),
      follow: optional(Type.Boolean()),
    }),
    answers: { 200: log },
    refusals: { 404: 'There is no such build, or its log does not exist yet or no longer.' },
  },
  'POST /builds/{build}/look': {
    group: 'Builds',
    summary: 'Reconciles a build now.',
    path,
    answers: { 200: said(done, 'A pass is requested.') },
    refusals,
  },
} as const satisfies SomeSchemas;
