import { Type } from '@sinclair/typebox';
import { itemsOf } from '../kit.ts';
import { pageQuery, pages, placeQuery } from '../paging.ts';
import { read, type SomeSchemas } from '../schema.ts';
import { environmentCounts, kindCounts } from '../shapes/counts.ts';

/** How many services, databases, logical databases and object stores stand where, counted as they change. */
export const countSchemas = {
  'GET /counts/environments': {
    group: 'Projects',
    summary: 'Counts what each environment holds, by state, and in one without a name what is shared by all projects.',
    path: {},
    query: Type.Object({ project: placeQuery.project, ...pageQuery }),
    ...pages(environmentCounts, 'The environments that hold anything, by project and name.'),
  },
  'GET /counts/kinds': {
    group: 'Projects',
    summary: 'Counts the services, databases, logical databases and object stores, each by state.',
    path: {},
    query: Type.Object(placeQuery),
    answers: read(itemsOf(kindCounts), 'Every one of these kinds.'),
  },
} as const satisfies SomeSchemas;
