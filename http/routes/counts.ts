import { Type } from '@sinclair/typebox';
import { environmentCounts, placeOf, rowText } from '../lists/environmentCounts.ts';
import { sortedFrom } from '../lists/page.ts';
import { sendList } from '../lists/send.ts';
import { itemsOf, mapOf, type ReadonlyStatic, text } from '../openapi/kit.ts';
import { pageQuery, pages, placeQuery } from '../openapi/paging.ts';
import { read } from '../openapi/schema.ts';
import { sendRead } from '../response.ts';
import { perContext, type Resource, route } from '../route.ts';
import { states } from '../../rules/state.ts';

const count = Type.Integer({ minimum: 0 });

const counted = {
  states: mapOf(Type.Integer({ minimum: 1, description: `Of each of ${states.join(', ')} that something is in.` })),
  waiting: { ...count, description: 'With saved changes that wait for a deploy, drafts among them.' },
};

const environmentCountsShape = Type.Object(
  { project: text(), environment: text(), ...counted },
  { title: 'EnvironmentCounts' },
);
/** GET /api/v1/counts/environments, by project and name: what each environment holds. */
export type EnvironmentCounts = ReadonlyStatic<typeof environmentCountsShape>;

const kindCountsShape = Type.Object({ kind: text(), ...counted }, { title: 'KindCounts' });
/** GET /api/v1/counts/kinds */
export type KindCounts = ReadonlyStatic<typeof kindCountsShape>;

const counts = perContext(({ caches }) => environmentCounts(caches));

/** How many services, databases, logical databases and object stores stand where, counted as they change. */
export const countRoutes = {
  'GET /counts/environments': route(
    {
      group: 'Projects',
      summary:
        'Counts what each environment holds, by state, and in one without a name what is shared by all projects.',
      path: {},
      query: Type.Object({ project: placeQuery.project, ...pageQuery }),
      ...pages(environmentCountsShape, 'The environments that hold anything, by project and name.'),
    },
    (context) =>
      function countEnvironments(ctx, access, { query }) {
        sendList(ctx, context, {
          access,
          query,
          from: (after) => sortedFrom(counts(context).environments(), placeOf, after),
          placeOf,
          isIn: ({ project }) => query.project === undefined || query.project === project,
          text: rowText,
        });
      },
  ),
  'GET /counts/kinds': route(
    {
      group: 'Projects',
      summary: 'Counts the services, databases, logical databases and object stores, each by state.',
      path: {},
      query: Type.Object(placeQuery),
      answers: read(itemsOf(kindCountsShape), 'Every one of these kinds.'),
    },
    (context) =>
      function countKinds(ctx, _, { query }) {
        sendRead(ctx, { items: counts(context).kinds(query) });
      },
  ),
} satisfies Resource;
