import type { Fact } from '../fact.ts';

/** The kinds that use drafts and deploys, and one without a gate. */
export type DeployedKind = 'service' | 'database' | 'bucket' | 'logicalDatabase';

/** The deploy state stored in a resource. */
export interface DeployStored {
  /** `spec.deploy.enabled`. */
  readonly enabled: boolean;
  /** The annotation `deploy-workflow` is `true`. */
  readonly workflow: boolean;
  /** The annotation `pending-changes`, as a list. */
  readonly pending: readonly string[];
  /** A readable `last-deployed` exists. */
  readonly snapshot: boolean;
}

/** Whether the cluster has capacity for the deploy, for a database for every instance; else why not, as a sentence. */
export type CapacitySeen = { readonly is: 'enough' } | { readonly is: 'tooLittle'; readonly why: string };

/** A merge patch of a spec. */
export type SpecPatch = Readonly<Record<string, unknown>>;

/** A command with what it sets. */
export type DeployAsked =
  | { readonly is: 'createDraft' }
  | { readonly is: 'createDeployed'; readonly revision: string }
  | {
      readonly is: 'save';
      readonly spec: SpecPatch;
      /** The name of its record; most saves are not recorded. */
      readonly record?: string;
      readonly displayName?: string;
    }
  | {
      readonly is: 'deploy';
      readonly revision: string;
      readonly spec?: SpecPatch;
      /** The record that a rollback restores. */
      readonly backTo?: string;
    };

/** The facts of one decision about drafts and deploys, from the resource, the cached nodes and the command. */
export interface DraftDeployFacts {
  readonly now: number;
  readonly kind: DeployedKind;
  /** Null when no such resource exists. */
  readonly stored: DeployStored | null;
  /** `metadata.deletionTimestamp` is set: no command is answered. */
  readonly deleted: boolean;
  readonly asked: 'createDraft' | 'createDeployed' | 'save' | 'deploy' | 'stop' | DeployAsked | null;
  /** Paths that the saved change affects: `spec.version`, `variables.LOG_LEVEL`. */
  readonly changed: readonly string[];
  /**
   * Paths in which the resource, including the saved change, differs from its snapshot; without a snapshot, the changed
   * paths.
   */
  readonly differing: readonly string[];
  /** Computed only for a command, because it is the sum over all pods. */
  readonly room: Fact<CapacitySeen>;
}
