import type { CoreHAReadiness } from '../../../crds/coreHAReadiness.ts';
import { withCondition } from '../../../rules/condition.ts';
import { haVerdict, healthyNodesOf } from '../../../rules/haReadiness.ts';
import { msOf } from '../../../rules/time.ts';
import { haReadiness } from '../../services/cluster/kinds.ts';
import { type Controller, controller, type Deriving, watching } from '../../contract/controller.ts';
import { nodeRead } from '../node/read.ts';
import { clusterNodes } from '../capacity.ts';

/** CoreHAReadiness: counts the healthy nodes on request, and whenever their number changes (decision 194). */
export const haReadinessController = (): Controller =>
  controller<CoreHAReadiness>({
    resource: haReadiness,
    lifecycles: [],
    watches: [
      watching({
        resource: clusterNodes,
        reads: nodeRead,
        concerns: (_, reader) => reader.list(haReadiness).map(({ metadata }) => metadata.name),
      }),
    ],
    derive,
    ensures: {},
  });

/** Whether a report is due: requested after the last one, never made, or with another node count. */
function isDue({ spec, status }: CoreHAReadiness, healthyNodes: number): boolean {
  if (status?.healthyNodes !== healthyNodes) return true;
  const checkedAt = status?.checkedAt;
  if (typeof checkedAt !== 'string') return true;
  return spec.requestedAt !== undefined && msOf(spec.requestedAt) > msOf(checkedAt);
}

function derive(report: CoreHAReadiness, { reader, now }: Deriving) {
  const healthyNodes = healthyNodesOf(reader.list(clusterNodes));
  const conditions = withCondition(report, haVerdict(healthyNodes), now);
  if (!isDue(report, healthyNodes)) return { conditions };
  // Never earlier than the request, even if the clocks of the two processes differ.
  const checkedAt = msOf(now) > msOf(report.spec.requestedAt ?? now) ? now : (report.spec.requestedAt ?? now);
  return { healthyNodes, checkedAt, conditions };
}
