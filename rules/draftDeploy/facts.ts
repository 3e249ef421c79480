/** Kinds that go through this flow, and one that has no gate at all. */
export type DeployedKind = 'service' | 'database' | 'bucket' | 'logicalDatabase';

/** What stands in a resource of its deploys. */
export interface DeployStored {
  /** `spec.deploy.enabled`. */
  readonly enabled: boolean;
  /** The annotation `deploy-workflow` is `true`. */
  readonly workflow: boolean;
  /** The annotation `pending-changes`, taken apart. */
  readonly pending: readonly string[];
  /** There is a `last-deployed` that can be read. */
  readonly snapshot: boolean;
}

/** Whether the cluster can run what is to be deployed, by the nodes in the cache; of a database every instance. */
export type RoomSeen = { readonly is: 'enough' } | { readonly is: 'tooLittle'; readonly why: string };

/** What one decision about drafts and deploys knows: from the resource, the nodes in the cache, what was asked. */
export interface DraftDeployFacts {
  readonly now: number;
  readonly kind: DeployedKind;
  /** Null when no such resource exists. */
  readonly stored: DeployStored | null;
  /** `metadata.deletionTimestamp` is set: nothing is answered any more. */
  readonly deleted: boolean;
  readonly asked: 'createDraft' | 'createDeployed' | 'save' | 'deploy' | null;
  /** Paths that what is saved changes: `spec.version`, `variables.LOG_LEVEL`. */
  readonly changed: readonly string[];
  /** Paths in which the resource, with what is saved, differs from its snapshot; without one, those it changes. */
  readonly differing: readonly string[];
  readonly room: RoomSeen;
}
