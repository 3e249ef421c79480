import type { KubeObject } from '../../crds/kind.ts';
import type { ReconcileRetry } from '../../crds/provisioning.ts';
import {
  provisionRetry as machine,
  type ProvisionRetryAction,
  type ProvisionRetryEvent,
  type ProvisionRetryState,
} from '../../machines/provisionRetry.ts';
import { tables } from '../../machines/tables.ts';
import { byState } from '../../rules/engine.ts';
import type { Fact } from '../../rules/fact.ts';
import { unasked } from '../../rules/fact.ts';
import { provisionRetryEvents } from '../../rules/provisionRetry/events.ts';
import type { PassOutcome, ProvisionRetryFacts } from '../../rules/provisionRetry/facts.ts';
import { msOf } from '../../rules/time.ts';
import { type Acting, type AnyLifecycle, lifecycle, type Moment } from '../lifecycle.ts';
import type { Seen } from '../seen.ts';

/** Any object whose failures are counted. */
export interface Provisioned extends KubeObject {
  readonly status?: { readonly reconcileRetry?: ReconcileRetry };
}

/** What differs between the kinds whose failures are counted. */
export interface Counted<O extends Provisioned> extends Pick<ProvisionRetryFacts, 'rowOf'> {
  /** How this pass ends, by the Ready table of the kind. */
  outcome(object: O, seen: Seen, moment: Moment): PassOutcome;
}
