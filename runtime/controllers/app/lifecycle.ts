import { Effect } from 'effect';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { servicePhases } from '../../../crds/serviceStates.ts';
import type { ServiceEvent, ServiceState } from '../../../machines/names.ts';
import { service as machine } from '../../../machines/service.ts';
import { tables } from '../../../machines/tables.ts';
import { type Absence, byState } from '../../../rules/engine.ts';
import { known, unasked, unknown } from '../../../rules/fact.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import { serviceEvents } from '../../../rules/service/events.ts';
import type { ServiceFacts } from '../../../rules/service/facts.ts';
import { type AnyLifecycle, lifecycle, type Moment } from '../../contract/lifecycle.ts';
import { why } from '../../services/why.ts';
import { gateIn } from '../provisioned/draftDeploy.ts';
import { noWorkload } from '../provisioned/provisioning.ts';
import { serviceActions } from './actions.ts';
import type { Pieces } from './owned.ts';
import { serviceSeen } from './observe.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** The lens. Nothing is torn down for a service that is not being deleted, whatever its status says. */
export function phaseOf({ metadata, status }: CoreApp): ServiceState | Absence {
  const phase = status?.phase ?? '';
  if (phase === 'Deleting' && !isDeleting({ metadata })) return 'Provisioning';
  return servicePhases.find((one) => one === phase) ?? '(none)';
}

/** Until its first move, a service shows as being provisioned. */
const shownPhase = (app: CoreApp): ServiceState => {
  const phase = phaseOf(app);
  return phase === '(none)' ? 'Provisioning' : phase;
};

const retryIn = ({ others }: Moment): RetrySeen => others['provisionRetry'] as RetrySeen;

/** Whether a service runs: follows its gate and its row of failures, and applies the running spec. */
export const serviceProvisioned = (pieces: Pieces): AnyLifecycle =>
  lifecycle<CoreApp, ServiceFacts, ServiceState, ServiceEvent['type']>({
    name: 'service',
    kept: 'status',
    machine,
    ...tables.service,
    rules: byState(serviceEvents),
    retrying: (app) => phaseOf(app) === 'Provisioning' && (app.status?.reconcileRetry?.reconcileFailures ?? 0) > 0,
    read: phaseOf,
    write: (to) => ({ phase: to }),
    shown: shownPhase,
    observe: (app, reader, moment) => {
      const { gate, ...around } = serviceSeen(app, { reader, pieces, gate: gateIn(moment), failure: moment.failure });
      return {
        now: moment.now,
        deleted: isDeleting(app),
        gate,
        retry: retryIn(moment),
        around: known(around),
        remains: unasked,
      };
    },
    ask: (_, app) =>
      pieces.remaining(app).pipe(
        Effect.map((left) => known(left.length > 0)),
        Effect.catch((error) => Effect.succeed(unknown(why(error)))),
      ),
    actions: serviceActions(pieces),
    ensures: { noWorkload: noWorkload(pieces) },
  });
