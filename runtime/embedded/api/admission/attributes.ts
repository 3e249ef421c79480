import type { Decide } from '../cel/functions/authorization.ts';
import type { Json } from '../json.ts';
import type { ResourceType } from '../kinds/type.ts';

type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** Who asks for a write, as policies see it. */
export interface AdmittedUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A write that is about to be done, as far as it can be judged. */
export interface Attributes {
  readonly operation: Operation;
  readonly type: ResourceType;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly kind: GroupVersionKind;
  /** Empty for a cluster-scoped object; a Namespace is in itself. */
  readonly namespace: string;
  /** Empty while the API makes the name. */
  readonly name: string;
  readonly object: Json | null;
  readonly oldObject: Json | null;
  readonly dryRun: boolean;
  readonly user: AdmittedUser;
  /** Whether the one who writes, or a ServiceAccount, may do something. */
  readonly decide: Decide;
}

export const isNamespace = ({ type }: Pick<Attributes, 'type'>) => type.group === '' && type.plural === 'namespaces';
