import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { draftDeploy as machine } from '../../../machines/draftDeploy.ts';
import type { DraftDeployEvent, DraftDeployState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { draftDeployEvents } from '../../../rules/draftDeploy/events.ts';
import type {
  DeployAsked,
  DeployedKind,
  DraftDeployFacts,
  CapacitySeen,
  SpecPatch,
} from '../../../rules/draftDeploy/facts.ts';
import { changeKindsOf } from '../../../rules/draftDeploy/kindsOf.ts';
import { announcedPatch, deployPatches, gated, markedAs } from '../../../rules/draftDeploy/patches.ts';
import { differingPaths } from '../../../rules/draftDeploy/paths.ts';
import { type Deployable, deployStored, revisionOf, snapshotOf } from '../../../rules/draftDeploy/stored.ts';
import { gateStateOf } from '../../../rules/draftDeploy/waits.ts';
import { byState } from '../../../rules/engine.ts';
import { type Fact, unasked, unknown } from '../../../rules/fact.ts';
import type { CacheReader } from '../../cache/reader.ts';
import {
  type Acting,
  type AnyLifecycle,
  type Fields,
  lifecycle,
  type ReconcileInput,
  patching,
} from '../../contract/lifecycle.ts';
import { merged } from '../../step/mergePatch.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** What differs between the kinds that are deployed. */
interface Deploying<O extends Deployable> {
  readonly kind: DeployedKind;
  /** Whether a deploy of the object in this version could be scheduled. */
  readonly room: (object: O, reader: CacheReader) => Fact<CapacitySeen>;
  /** Fields that a deploy with a revision, or a recorded save, writes besides. */
  readonly records?: (object: O, record: { readonly name: string; readonly at: string }, reader: CacheReader) => Fields;
}

type Deploys<O extends Deployable> = Acting<O, DraftDeployFacts>;

/** The deploys of a kind: the machine of its gate, and the start of a deploy. */
export interface Deploy<O extends KubeObject> {
  readonly draftDeploy: AnyLifecycle;
  gateOf(object: O): DraftDeployState;
  /** Whether a deploy has not been started yet. */
  isNew(object: O, reader: CacheReader): boolean;
  /** The fields that start it. */
  takeUp(object: O, reader: CacheReader): Fields;
}

interface TakingUp extends Deployable {
  readonly status?: { readonly deployRevision?: string };
}

/** The command when it has parameters; null otherwise. */
const commandOf = (asked: unknown): DeployAsked | null =>
  typeof asked === 'object' && asked !== null ? (asked as DeployAsked) : null;

const specOf = (command: DeployAsked | null): SpecPatch =>
  command !== null && 'spec' in command ? (command.spec ?? {}) : {};

const displayNameOf = (command: DeployAsked | null): Fields =>
  command?.is === 'save' && command.displayName !== undefined
    ? { metadata: { annotations: { [annotation.displayName]: command.displayName } } }
    : {};

/** Applies the settings of the command to the object. */
const saved = <O extends Deployable>(object: O, command: DeployAsked | null): O =>
  merged(object, { spec: specOf(command) });

/** The state that the gate of an object reached in this pass. */
export const gateIn = ({ others }: ReconcileInput): DraftDeployState =>
  others['draftDeploy']?.state as DraftDeployState;

function patchesOf<O extends Deployable>({ kind, records }: Deploying<O>) {
  const patched =
    (action: keyof typeof deployPatches) =>
    ({ object, at, facts }: Deploys<O>): Fields => ({
      ...deployPatches[action](saved(object, commandOf(facts.asked)), at),
    });
  const recorded = (object: O, name: string | undefined, { at, reader }: Deploys<O>): Fields =>
    name === undefined ? {} : (records?.(object, { name, at }, reader) ?? {});
  return {
    saveDraft: patched('saveDraft'),
    saveUngated: () => ({}),
    saveSpec: (acting: Deploys<O>) => {
      const { object, facts } = acting;
      const command = commandOf(facts.asked);
      const name = command?.is === 'save' ? command.record : undefined;
      return merged(
        { ...displayNameOf(command), spec: specOf(command) },
        recorded(saved(object, command), name, acting),
      );
    },
    enable: ({ object, at, facts }: Deploys<O>) => ({
      ...patched('enable')({ object, at, facts } as Deploys<O>),
      ...(gateStateOf(kind, object) === 'Draft' ? gated : {}),
    }),
    disable: patched('disable'),
    clearMarkers: patched('clearMarkers'),
    takeSnapshot: patched('takeSnapshot'),
    changeRevision: (acting: Deploys<O>) => {
      const { object, at, facts } = acting;
      const command = commandOf(facts.asked);
      const revision = command !== null && 'revision' in command ? command.revision : undefined;
      const deployed = deployPatches.changeRevision(object, at, revision);
      // A deploy not requested through the platform is not announced (001 Events).
      const next = kind === 'service' && facts.asked !== null ? announcedPatch(deployed) : deployed;
      // The spec is not merged in, because a null in it removes a field of the object and not of this patch.
      return merged({ ...next, spec: specOf(command) }, recorded(saved(object, command), revision, acting));
    },
    markChanges: ({ object, facts }: Deploys<O>) => {
      const kinds = changeKindsOf(facts.changed.length > 0 ? facts.changed : facts.differing);
      return { ...markedAs(object, kinds.length > 0 ? kinds : ['settings']) };
    },
  };
}

/**
 * The deploy gate of an object, stored in its spec and annotations; the machine of the kind applies the running spec.
 */
const draftDeployOf = <O extends Deployable>(deploying: Deploying<O>): AnyLifecycle => {
  const { kind } = deploying;
  const read = (object: O) => gateStateOf(kind, object);
  return lifecycle<O, DraftDeployFacts, DraftDeployState, DraftDeployEvent['type']>({
    name: 'draftDeploy',
    storage: 'object',
    machine,
    ...tables.draftDeploy,
    rules: byState(draftDeployEvents),
    retrying: () => false,
    read,
    write: () => ({}),
    shown: read,
    observe: (object, reader, { now, absent, asked }) => {
      const next = saved(object, commandOf(asked));
      const snapshot = snapshotOf(object);
      const changed = differingPaths(object.spec, next.spec);
      return {
        now,
        kind,
        stored: absent ? null : deployStored(object),
        deleted: isDeleting(object),
        changed,
        differing: snapshot === null ? changed : differingPaths(snapshot, next.spec),
        room: (asked ?? null) === null ? unasked : deploying.room(next, reader),
      };
    },
    ask: () => Effect.succeed(unknown('nothing is asked for')),
    actions: patching(patchesOf(deploying)),
    ensures: {},
  });
};

/** Builds the deploys of a kind. A deploy starts when its revision is new, unless the kind overrides that. */
export const deployOf = <O extends TakingUp>({
  isNew = (object) => revisionOf(object) !== (object.status?.deployRevision ?? ''),
  takeUp = (object) => ({ deployRevision: revisionOf(object) }),
  ...deploying
}: Deploying<O> & Partial<Pick<Deploy<O>, 'isNew' | 'takeUp'>>): Deploy<O> => ({
  draftDeploy: draftDeployOf(deploying),
  gateOf: (object) => gateStateOf(deploying.kind, object),
  isNew,
  takeUp,
});
