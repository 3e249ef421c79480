import * as fc from 'fast-check';
import type { DeployStored, DraftDeployFacts } from '../../../rules/draftDeploy/facts.ts';
import { known, unasked, unknown } from '../../../rules/fact.ts';
import type { GateSeen } from '../../../rules/draftDeploy/gate.ts';
import type { StateSeen } from '../../../rules/state.ts';

const kind = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('service', 'database', 'bucket') },
  fc.constant('logicalDatabase' as const),
);

const stored = fc.record<DeployStored>({
  enabled: fc.boolean(),
  workflow: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  pending: fc.constantFrom<readonly string[]>([], [], ['created'], ['settings'], ['settings', 'variables']),
  snapshot: fc.boolean(),
});

/** Settings that wait, settings that do not, and names that only resemble the latter. */
const paths = fc.uniqueArray(
  fc.constantFrom(
    'spec.replicas',
    'spec.autoscaling.max',
    'spec.scaleToZero.enabled',
    'spec.networking.host',
    'spec.networking.tls',
    'spec.backup.retentionDays',
    'spec.replicasWanted',
    'spec.networking',
    'spec.version',
    'spec.resources.requests',
    'spec.storageSize',
    'spec.source.image',
    'variables.LOG_LEVEL',
  ),
  { maxLength: 2 },
);

/** Known facts. */
export const facts: fc.Arbitrary<DraftDeployFacts> = fc.record({
  now: fc.constant(0),
  kind,
  stored: fc.oneof({ weight: 2, arbitrary: stored }, fc.constant(null)),
  deleted: fc.constantFrom(false, false, false, false, true),
  asked: fc.constantFrom('createDraft', 'createDeployed', 'save', 'deploy', 'stop', null),
  changed: paths,
  differing: paths,
  room: fc
    .constantFrom(
      { is: 'enough' as const },
      { is: 'tooLittle' as const, why: 'There is no ready node in eu to run this database' },
    )
    .map(known),
});

const odd = fc.constantFrom('', 'SERVICE', 'x'.repeat(10_000), '__proto__');

/** Invalid facts. */
export const invalid: fc.Arbitrary<DraftDeployFacts> = fc
  .tuple(
    facts,
    fc.record(
      {
        kind: odd,
        asked: odd,
        changed: fc.array(odd),
        differing: fc.array(odd),
        room: fc.oneof(
          fc.record({ is: odd, why: odd }).map(known),
          fc.constant(unasked),
          fc.constant(unknown('could not be read')),
        ),
        stored: fc.record({
          enabled: fc.boolean(),
          workflow: fc.boolean(),
          pending: fc.array(odd),
          snapshot: fc.boolean(),
        }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([sound, other]) => ({ ...sound, ...other }) as DraftDeployFacts);

/** The facts that the gate's verdict reads. */
export const gateFacts: fc.Arbitrary<GateSeen> = fc.record({ kind, stored: fc.option(stored) });

/** The facts that the reported state reads. */
export const reportedFacts: fc.Arbitrary<StateSeen> = fc.record({
  deleting: fc.boolean(),
  hasGate: fc.boolean(),
  deployEnabled: fc.boolean(),
  deploySeen: fc.boolean(),
  ready: fc.boolean(),
  reason: fc.constantFrom('', 'ProvisionFailed', 'ReconcileError', 'DatabaseReady', 'provisionfailed'),
});
