import type { RouterContext } from '@koa/router';
import { Effect, Result } from 'effect';
import { platformConfigName } from '../../crds/corePlatformConfig.ts';
import { namespaceOf as databaseNamespace } from '../../rules/database/effective.ts';
import { namespaceOf } from '../../rules/project/environment.ts';
import { databaseQueries, projectQueries, type Queries, serviceQueries } from '../../rules/usage/queries.ts';
import { rangeOf, type Window } from '../../rules/usage/window.ts';
import { databases, platformConfigs, projects } from '../../runtime/services/cluster/kinds.ts';
import { MetricsStore } from '../../runtime/services/metricsStore.ts';
import { refuse } from '../orThrow.ts';
import type { Usage } from '../openapi/shapes/usage.ts';
import { sendJson } from '../response.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { serviceIn } from './apps/serviceIn.ts';

interface Query {
  readonly window?: Window;
}

/** What services, databases and projects use, from the store of metrics of the cluster. */
export function usageRoutes(routes: Routes, context: ServerContext): void {
  const { operator, settings, run, now } = context;
  const { caches } = operator;

  /** The platform config wins over the environment and the default (PLC-022). */
  const storeUrl = () => caches.get(platformConfigs, platformConfigName)?.spec.prometheusURL || settings.prometheusUrl;

  const send = async (ctx: RouterContext, { window = '1h' }: Query, queriesOf: (step: number) => Queries) => {
    const range = rangeOf(window, now());
    const url = storeUrl();
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
      return sendJson(ctx, { window, step, available: true, series: Object.fromEntries(read.success) } satisfies Usage);
    const { _tag, why } = read.failure;
    if (_tag === 'MetricsStoreFailed') return refuse(ctx, 502, `the store of metrics failed: ${why}`);
    const message = `there is no store of metrics: ${why}`;
    return sendJson(ctx, { window, step, available: false, message, series: {} } satisfies Usage);
  };

  routes.on('GET /apps/{app}/metrics', (ctx, access, { query }) => {
    const { metadata, spec } = serviceIn(ctx, context, access);
    const of = { name: metadata.name, namespace: namespaceOf(spec.project, spec.environment) };
    return send(ctx, query, (step) => serviceQueries(of, step));
  });

  routes.on('GET /databases/{database}/metrics', (ctx, _, { path: { database: name }, query }) => {
    const { spec } = caches.get(databases, name) ?? refuse(ctx, 404, `database "${name}" was not found`);
    const of = { name, namespace: databaseNamespace(spec), engine: spec.engine };
    return send(ctx, query, (step) => databaseQueries(of, step));
  });

  routes.on('GET /projects/{project}/metrics', (ctx, _, { path: { project: name }, query }) => {
    const { spec } = caches.get(projects, name) ?? refuse(ctx, 404, `project "${name}" was not found`);
    const namespaces = spec.environments.map((environment) => namespaceOf(name, environment));
    return send(ctx, query, (step) => projectQueries(namespaces, step));
  });
}
