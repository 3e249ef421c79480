import type { DraftDeployState } from '../../../machines/names.ts';
import type { DeployedKind, DeployStored, DraftDeployFacts } from '../../../rules/draftDeploy/facts.ts';
import { draftDeployStateOf } from '../../../rules/draftDeploy/storedState.ts';
import { known } from '../../../rules/fact.ts';
import type { Deciding, Part } from '../../check/joint/joint.ts';
import { lifecycle as draftDeploy } from '../draftDeploy.ts';
import { edited, now, type Row } from './row.ts';

export type Version = 0 | 1;

/** What of a resource is deployed, in a joint world that knows two versions of its spec. */
export interface Gated {
  /** What the gate was entered as last. */
  readonly gate: DraftDeployState | '(none)';
  readonly enabled: boolean;
  readonly workflow: boolean;
  readonly pending: boolean;
  readonly spec: Version;
  readonly snapshot: Version | null;
  readonly row: Row;
  readonly deleting: boolean;
  /** The version that somebody last deployed, or wrote where there is no gate; null while it is a draft. */
  readonly approved: Version | null;
}

export const other = (version: Version): Version => (version === 0 ? 1 : 0);

const stored = ({ enabled, workflow, pending, snapshot }: Gated): DeployStored => ({
  enabled,
  workflow,
  pending: pending ? ['settings'] : [],
  snapshot: snapshot !== null,
});

/** Everything that a refused deploy has to leave as it was. */
export const savedOf = (world: Gated) => JSON.stringify([stored(world), world.spec, world.row]);

/** The version that runs by the state of the gate; null for nothing, or for nothing new. */
export const running = ({ spec, snapshot }: Gated, gate: DraftDeployState): Version | null => {
  if (gate === 'Ungated') return spec;
  if (gate === 'Deployed') return snapshot ?? spec;
  return gate === 'PendingChanges' ? snapshot : null;
};

/** What of the running version is applied. */
export function workloadOf(world: Gated & { readonly runs: Version | null }, gate: DraftDeployState) {
  if (world.runs === null) return 'absent' as const;
  const wanted = running(world, gate);
  return wanted === null || wanted === world.runs ? ('current' as const) : ('stale' as const);
}

/** The state that the gate came to in this pass. */
export const gateIn = ({ others }: Deciding): DraftDeployState =>
  (others['draftDeploy']?.state ?? 'Draft') as DraftDeployState;

const versions = (from: Version, to: Version) => (from === to ? [] : ['spec.version']);

/** The gate of one kind in its joint world. */
export function gateOf<World extends Gated>(kind: DeployedKind) {
  const standing = (world: Gated) => draftDeployStateOf({ kind, stored: stored(world) });

  /** What somebody who writes a resource by hand has running of it. */
  function approvedBy(world: World): World {
    const { spec, snapshot } = world;
    const approved = {
      Draft: null,
      Ungated: spec,
      Deployed: snapshot ?? spec,
      PendingChanges: snapshot,
      SnapshotMissing: world.approved,
    }[standing(world) ?? 'Draft'];
    return { ...world, approved };
  }

  /** What the gate decides over; a save exchanges the version. */
  function facts(world: World, { command }: Deciding): DraftDeployFacts {
    const { spec, snapshot } = world;
    const next = command?.['asked'] === 'save' ? other(spec) : spec;
    return {
      now,
      kind,
      stored: stored(world),
      deleted: world.deleting,
      asked: null,
      changed: versions(spec, next),
      differing: versions(snapshot ?? spec, next),
      room: known({ is: 'enough' }),
    };
  }

  const part: Part<World> = {
    subject: draftDeploy,
    kept: 'object',
    read: (world) => world.gate,
    enter: (world, state) => ({ ...world, gate: state as World['gate'] }),
    facts,
    does: {
      saveSpec: (world) => {
        const saved = { ...world, spec: other(world.spec), row: edited(world.row) };
        return standing(world) === 'Ungated' ? approvedBy(saved) : saved;
      },
      markChanges: (world) => ({ ...world, pending: true }),
      clearMarkers: (world) => ({ ...world, pending: false }),
      enable: (world) => ({
        ...world,
        enabled: true,
        workflow: world.workflow || standing(world) === 'Draft',
        row: world.enabled ? world.row : edited(world.row),
      }),
      disable: (world) => ({
        ...world,
        enabled: false,
        workflow: true,
        approved: null,
        row: world.enabled ? edited(world.row) : world.row,
      }),
      takeSnapshot: (world) => ({ ...world, snapshot: world.spec, approved: world.spec }),
      changeRevision: (world) => ({ ...world, approved: world.spec, row: { ...world.row, redeployed: true } }),
    },
  };
  return { part, standing, approvedBy };
}
