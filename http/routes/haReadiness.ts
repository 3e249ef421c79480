import type { RouterContext } from '@koa/router';
import { type CoreHAReadiness, coreHAReadiness } from '../../crds/coreHAReadiness.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { conditionOf } from '../../rules/condition.ts';
import { haVerdict, healthyNodesOf } from '../../rules/haReadiness.ts';
import { isoTime, msOf } from '../../rules/time.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { haReadiness } from '../../runtime/services/cluster/kinds.ts';
import { savedOrThrow } from '../orThrow.ts';
import type { HAReadiness } from '../openapi/shapes/infrastructure.ts';
import { sendJson, sendRead } from '../response.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';

/** The report that is made here; those of other names count too. */
const reportName = 'platform';

const none: HAReadiness = { healthyNodes: 0, ready: false, checkedAt: null };

const shown = (report: CoreHAReadiness): HAReadiness => ({
  healthyNodes: report.status?.healthyNodes ?? 0,
  ready: conditionOf(report, 'Ready')?.status === 'True',
  checkedAt: report.status?.checkedAt ?? null,
});

const checkedMs = ({ checkedAt }: HAReadiness): number => (checkedAt === null ? 0 : msOf(checkedAt));

/** Whether the cluster has the nodes that high availability takes: a report, made on request alone. */
export function haReadinessRoutes(routes: Routes, { operator, run, now }: ServerContext): void {
  const { caches } = operator;

  routes.on('GET /ha-readiness', function readReadiness(ctx) {
    const reports = caches.list(haReadiness).map(shown);
    // Any Ready report counts; otherwise the newest is returned.
    const [best = none] = reports.toSorted((a, b) => Number(b.ready) - Number(a.ready) || checkedMs(b) - checkedMs(a));
    sendRead(ctx, best);
  });

  routes.on('POST /ha-readiness/check', async function checkReadiness(ctx) {
    const requestedAt = isoTime(now());
    await ask(ctx, requestedAt);
    const healthyNodes = healthyNodesOf(caches.list(clusterNodes));
    const ready = haVerdict(healthyNodes).status === 'True';
    sendJson(ctx, { healthyNodes, ready, checkedAt: requestedAt } satisfies HAReadiness);
  });

  const ask = async (ctx: RouterContext, requestedAt: string) => {
    const spec = { requestedAt };
    const metadata = { name: reportName, namespace: systemNamespace };
    const isThere = caches.get(haReadiness, reportName) !== undefined;
    if (isThere)
      return savedOrThrow(
        ctx,
        await run(operator.edit(haReadiness, reportName, () => ({ patch: { spec }, result: null }))),
        {},
      );
    return savedOrThrow(
      ctx,
      await run(operator.add(haReadiness, { ...typeMeta(coreHAReadiness), metadata, spec })),
      {},
    );
  };
}
