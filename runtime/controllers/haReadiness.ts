import type { CoreHAReadiness } from '../../crds/coreHAReadiness.ts';
import { withCondition } from '../../rules/condition.ts';
import { haVerdict, healthyNodesOf } from '../../rules/haReadiness.ts';
import { msOf } from '../../rules/time.ts';
import { haReadiness } from '../kinds.ts';
import { type Controller, controller, type Deriving, watching } from '../lifecycle.ts';
import { clusterNodes } from './room.ts';

/** CoreHAReadiness: counts the healthy nodes each time that is asked for. */
export const haReadinessController = (): Controller =>
  controller<CoreHAReadiness>({
    resource: haReadiness,
    lifecycles: [],
    // A report describes the moment of its request, so a changed node does not change it.
    watches: [watching({ resource: clusterNodes, concerns: () => [] })],
    derive,
    ensures: {},
  });

/** A report is due where it was asked for after it was made, or never made. */
function isDue({ spec, status }: CoreHAReadiness): boolean {
  const checkedAt = status?.checkedAt;
  if (typeof checkedAt !== 'string') return true;
  return spec.requestedAt !== undefined && msOf(spec.requestedAt) > msOf(checkedAt);
}

function derive(report: CoreHAReadiness, { reader, now }: Deriving) {
  if (!isDue(report)) return {};
  const healthyNodes = healthyNodesOf(reader.list(clusterNodes));
  // Never before it was asked for, whatever the clocks of the two processes say.
  const checkedAt = msOf(now) > msOf(report.spec.requestedAt ?? now) ? now : (report.spec.requestedAt ?? now);
  return { healthyNodes, checkedAt, conditions: withCondition(report, haVerdict(healthyNodes), now) };
}
