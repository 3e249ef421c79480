import type { HistoryEntry } from '../../crds/kind.ts';
import type { Provision, ReconcileRetry } from '../../crds/provisioning.ts';
import type { Condition } from '../condition.ts';
import type { FieldsOf } from './fields.ts';

export const conditions = {
  type: 'viewer',
  status: 'viewer',
  reason: 'viewer',
  message: 'message in words',
  lastTransitionTime: 'viewer',
  observedGeneration: 'viewer',
} as const satisfies FieldsOf<Condition>;

export const history = {
  seq: 'viewer',
  machine: 'viewer',
  from: 'viewer',
  event: 'viewer',
  to: 'viewer',
  rule: 'viewer',
  by: 'viewer',
  at: 'viewer',
  text: 'move in words',
} as const satisfies FieldsOf<HistoryEntry>;

export const reconcileRetry = {
  reconcileFailures: 'viewer',
  reconcileFailureStarted: 'viewer',
  reconcileFailureGeneration: 'viewer',
  gaveUp: 'viewer',
  lastFailureAt: 'viewer',
  lastFailureKind: 'hidden',
} as const satisfies FieldsOf<ReconcileRetry>;

export const provision = {
  activeProvisionAttempt: 'viewer',
  provisionAttempts: {
    id: 'viewer',
    startedAt: 'viewer',
    completedAt: 'viewer',
    phase: 'viewer',
    summary: 'hidden',
    errors: { recordedAt: 'viewer', message: 'hidden' },
    afterwards: { reason: 'viewer', message: 'hidden', at: 'viewer', count: 'viewer' },
  },
  buildRef: 'viewer',
  deploymentRef: 'viewer',
} as const satisfies FieldsOf<Provision>;
