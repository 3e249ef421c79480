import type { Change, CloudState } from './state.ts';

export interface CloudOptions {
  /** ms since the epoch. */
  readonly now: () => number;
  /** A new random text of letters and digits, of this length. */
  readonly random: (length: number) => string;
  /** Keys of whole accounts. */
  readonly accounts: readonly { readonly account: string; readonly accessKeyId: string; readonly secret: string }[];
  /** How long a new key stays inactive, as in large clouds. */
  readonly newKeysUnknownMs?: number;
  /** A store without versioning, which does not support its requests. */
  readonly withoutVersions?: boolean;
  /** The size of a page of a list. */
  readonly pageSize?: number;
  /** Notified of each change before and after it is made. */
  readonly changing?: (change: Change) => void;
  readonly changed?: (change: Change) => void;
}

/** The shared context of the model. */
export interface Within {
  readonly state: CloudState;
  readonly options: CloudOptions;
  readonly change: (change: Change) => void;
}
