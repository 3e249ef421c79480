import type { RouterContext } from '@koa/router';
import { Type } from '@sinclair/typebox';
import { type CoreHAReadiness, coreHAReadiness } from '../../crds/coreHAReadiness.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { orNull, type ReadonlyStatic, time } from '../openapi/kit.ts';
import { read, uncached } from '../openapi/schema.ts';
import { savedOrThrow } from '../orThrow.ts';
import { sendJson, sendRead } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { conditionOf } from '../../rules/condition.ts';
import { haVerdict, healthyNodesOf } from '../../rules/haReadiness.ts';
import { isoTime, msOf } from '../../rules/time.ts';
import { clusterNodes } from '../../runtime/controllers/node/read.ts';
import { haReadiness as reports } from '../../runtime/services/cluster/kinds.ts';

const haReadiness = Type.Object(
  {
    healthyNodes: Type.Integer({ description: 'Ready and schedulable nodes without pressure.' }),
    ready: Type.Boolean({ description: 'Whether those are three at least.' }),
    checkedAt: orNull(time('When they were counted; null where nobody asked yet.')),
  },
  { title: 'HAReadiness' },
);
/** GET /api/v1/ha-readiness, and POST /api/v1/ha-readiness/check. */
export type HAReadiness = ReadonlyStatic<typeof haReadiness>;

/** The report that is made here; those of other names count too. */
const reportName = 'platform';

const none: HAReadiness = { healthyNodes: 0, ready: false, checkedAt: null };

const reportView = (report: CoreHAReadiness): HAReadiness => ({
  healthyNodes: report.status?.healthyNodes ?? 0,
  ready: conditionOf(report, 'Ready')?.status === 'True',
  checkedAt: report.status?.checkedAt ?? null,
});

const checkedMs = ({ checkedAt }: HAReadiness): number => (checkedAt === null ? 0 : msOf(checkedAt));

/** Whether the cluster has the nodes that high availability takes: a report, made on request alone. */
export const haReadinessRoutes = {
  'GET /ha-readiness': route(
    {
      group: 'Platform',
      summary: 'Reports whether the cluster has the nodes that high availability requires.',
      path: {},
      answers: read(haReadiness, 'The newest report, a ready one first.'),
    },
    ({ caches }) =>
      function readReadiness(ctx) {
        const shownReports = caches.list(reports).map(reportView);
        // Any Ready report counts; otherwise the newest is returned.
        const [best = none] = shownReports.toSorted(
          (a, b) => Number(b.ready) - Number(a.ready) || checkedMs(b) - checkedMs(a),
        );
        sendRead(ctx, best);
      },
  ),
  'POST /ha-readiness/check': route(
    {
      group: 'Platform',
      summary: 'Counts the healthy nodes and records the report.',
      path: {},
      answers: { 200: uncached(haReadiness, 'What was found.') },
    },
    (context) => {
      const { now, caches } = context;
      return async function checkReadiness(ctx) {
        const requestedAt = isoTime(now());
        await request(ctx, context, requestedAt);
        const healthyNodes = healthyNodesOf(caches.list(clusterNodes));
        const ready = haVerdict(healthyNodes).status === 'True';
        sendJson(ctx, { healthyNodes, ready, checkedAt: requestedAt });
      };
    },
  ),
} satisfies Resource;

const request = async (ctx: RouterContext, { operator, run, caches }: RouteContext, requestedAt: string) => {
  const spec = { requestedAt };
  const metadata = { name: reportName, namespace: systemNamespace };
  const isThere = caches.get(reports, reportName) !== undefined;
  if (isThere)
    return savedOrThrow(
      ctx,
      await run(operator.edit(reports, reportName, () => ({ patch: { spec }, result: null }))),
      {},
    );
  return savedOrThrow(ctx, await run(operator.add(reports, { ...typeMeta(coreHAReadiness), metadata, spec })), {});
};
