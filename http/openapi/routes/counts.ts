import { Optional as optional, Type } from '@sinclair/typebox';
import { itemsOf, text } from '../kit.ts';
import { pageQuery, pages } from '../paging.ts';
import { read, type SomeSchemas } from '../schema.ts';
import { environmentCounts, kindCounts } from '../shapes/counts.ts';

const project = optional(text('Only those of this project.'));

/** How many services, databases, logical databases and object stores stand where, counted as they change. */
export const countSchemas = {
  'GET /counts/environments': {
    group: 'Projects',
    summary: 'Counts what each environment holds, by state, and in one without a name what is shared by all projects.',
    path: {},
    query: Type.Object({ project, ...pageQuery }),
    ...pages(environmentCounts, 'The environments that hold anything, by project and name.'),
  },
  'GET /counts/kinds': {
    group: 'Projects',
    summary: 'Counts the services, databases, logical databases and object stores, each by state.',
    path: {},
    query: Type.Object({
      project,
      environment: optional(text('Only those of environments with this name.')),
    }),
    answers: read(itemsOf(kindCounts), 'Every one of these kinds.'),
  },
} as const satisfies SomeSchemas;
