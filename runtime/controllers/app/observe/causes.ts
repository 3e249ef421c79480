import type { CoreApp } from '../../../../crds/coreApp.ts';
import type { FoundCause } from '../../../../rules/cause/cause.ts';
import { causesOfRemaining } from '../../../../rules/cause/deletion.ts';
import { overwrittenCauses } from '../../../../rules/cause/unwritten.ts';
import { isDeleting } from '../../../../rules/deleting.ts';
import { gateOf, specOf } from '../../../../rules/service/deployed.ts';
import type { ServiceSeen } from '../../../../rules/service/facts.ts';
import { causeOfWakefulness } from '../../../../rules/service/sleep.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { refOf } from '../../causes.ts';
import { remainingIn } from '../../remaining.ts';
import type { ServiceResources } from '../owned.ts';
import { sleepSeen } from '../owned/wake.ts';

/** What Ready does not tell of a service: what its deletion waits for, who overwrites it, why it stays awake. */
export function causesBesideReady(
  app: CoreApp,
  { contested, gate }: Pick<ServiceSeen, 'contested' | 'gate'>,
  { reader, ownedResources }: { readonly reader: CacheReader; readonly ownedResources: ServiceResources },
): readonly FoundCause[] {
  const on = refOf(app);
  // Everything that a draft has in the cluster is to go, as of a service that is deleted.
  if (isDeleting(app)) return causesOfRemaining(remainingIn(ownedResources.diff(app, reader, 'Draft'), reader));
  if (gate === 'Draft') return [];
  const awake = sleepSeen(app, specOf(app, gateOf(app)), reader)?.message;
  return [...overwrittenCauses(contested, on), ...(awake === undefined ? [] : [causeOfWakefulness(awake, on)])];
}
