import { Optional as optional, Type } from '@sinclair/typebox';
import { Effect, Result } from 'effect';
import { platformConfigName } from '../../crds/corePlatformConfig.ts';
import { objectName, oneOf, type ReadonlyStatic, text } from '../openapi/kit.ts';
import { uncached } from '../openapi/schema.ts';
import { refuse } from '../orThrow.ts';
import { type AnswerContext, sendJson } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { serviceIn } from './apps/serviceIn.ts';
import { namespaceOf as databaseNamespace } from '../../rules/database/effective.ts';
import { namespaceOf } from '../../rules/project/environment.ts';
import { databaseQueries, projectQueries, type Queries, serviceQueries } from '../../rules/usage/queries.ts';
import { rangeOf, type Window, windowNames } from '../../rules/usage/window.ts';
import { databases, platformConfigs, projects } from '../../runtime/services/cluster/kinds.ts';
import { MetricsStore } from '../../runtime/services/metricsStore.ts';

const usageQuery = Type.Object({ window: optional(oneOf(...windowNames)) });

const points = Type.Array(
  Type.Object({ t: Type.Number({ description: 'Seconds since the epoch.' }), v: Type.Number() }),
);

/** The usage of a service, a database or a project. */
const usage = Type.Object(
  {
    window: oneOf(...windowNames),
    step: Type.Integer({ description: 'Seconds from one value to the next.' }),
    available: Type.Boolean({ description: 'Whether there is a store of metrics.' }),
    message: optional(text('Why there is none.')),
    series: Type.Object(
      {
        cpu: optional(points),
        memory: optional(points),
        network: optional(points),
        networkIn: optional(points),
        requests: optional(points),
        storage: optional(points),
      },
      { description: 'In cores, bytes, bytes sent and received a second, requests a second, and bytes.' },
    ),
  },
  { title: 'Metrics' },
);
/** GET /api/v1/{apps|databases|projects}/{name}/metrics. */
export type Usage = ReadonlyStatic<typeof usage>;

const answers = { 200: uncached(usage, 'The values, or why there are none.') };
const failed = 'The store of metrics failed.';

/** What services, databases and projects use, from the store of metrics of the cluster. */
export const usageRoutes = {
  'GET /apps/{app}/metrics': route(
    {
      group: 'Services',
      summary: 'Reads what a service used: CPU, memory, network and requests.',
      path: { app: objectName },
      query: usageQuery,
      answers,
      refusals: { 404: 'There is no such service, or the token may not see it.', 502: failed },
    },
    (context) =>
      (ctx, access, { query }) => {
        const { metadata, spec } = serviceIn(ctx, context, access);
        const of = { name: metadata.name, namespace: namespaceOf(spec.project, spec.environment) };
        return send(ctx, context, query, (step) => serviceQueries(of, step));
      },
  ),
  'GET /databases/{database}/metrics': route(
    {
      group: 'Databases',
      summary: 'Reads what a database used: CPU, memory, network and storage.',
      path: { database: objectName },
      query: usageQuery,
      answers,
      refusals: { 404: 'There is no such database.', 502: failed },
    },
    (context) => {
      const { caches } = context;
      return (ctx, _, { path: { database: name }, query }) => {
        const { spec } = caches.get(databases, name) ?? refuse(ctx, 404, `database "${name}" was not found`);
        const of = { name, namespace: databaseNamespace(spec), engine: spec.engine };
        return send(ctx, context, query, (step) => databaseQueries(of, step));
      };
    },
  ),
  'GET /projects/{project}/metrics': route(
    {
      group: 'Projects',
      summary: 'Reads what everything in the environments of a project used: CPU, memory and network.',
      path: { project: objectName },
      query: usageQuery,
      answers,
      refusals: { 404: 'There is no such project.', 502: failed },
    },
    (context) => {
      const { caches } = context;
      return (ctx, _, { path: { project: name }, query }) => {
        const { spec } = caches.get(projects, name) ?? refuse(ctx, 404, `project "${name}" was not found`);
        const namespaces = spec.environments.map((environment) => namespaceOf(name, environment));
        return send(ctx, context, query, (step) => projectQueries(namespaces, step));
      };
    },
  ),
} satisfies Resource;

interface Query {
  readonly window?: Window;
}

/** The platform config wins over the environment and the default (PLC-022). */
const storeUrl = ({ settings, caches }: RouteContext) =>
  caches.get(platformConfigs, platformConfigName)?.spec.prometheusURL || settings.prometheusUrl;

const send = async (
  ctx: AnswerContext<Usage>,
  context: RouteContext,
  { window = '1h' }: Query,
  queriesOf: (step: number) => Queries,
) => {
  const { run, now } = context;
  const range = rangeOf(window, now());
  const url = storeUrl(context);
  const read = await run(
    Effect.flatMap(MetricsStore, (store) =>
      Effect.all(
        Object.entries(queriesOf(range.step)).map(([name, query]) =>
          Effect.map(store.range({ url, query, ...range }), (points) => [name, points] as const),
        ),
        { concurrency: 'unbounded' },
      ),
    ),
  );
  const { step } = range;
  if (Result.isSuccess(read))
    return sendJson(ctx, { window, step, available: true, series: Object.fromEntries(read.success) });
  const { _tag, message: failure } = read.failure;
  if (_tag === 'MetricsStoreFailed') return refuse(ctx, 502, `the store of metrics failed: ${failure}`);
  const message = `there is no store of metrics: ${failure}`;
  return sendJson(ctx, { window, step, available: false, message, series: {} });
};
