import type { Change, CloudState } from './state.ts';

export interface CloudOptions {
  /** ms since the epoch. */
  readonly now: () => number;
  /** A new random text of letters and digits, of this length. */
  readonly random: (length: number) => string;
  /** Keys of whole accounts. */
  readonly accounts: readonly { readonly account: string; readonly accessKeyId: string; readonly secret: string }[];
  /** How long a new key is unknown after it was issued, as keys of large clouds are. */
  readonly newKeysUnknownMs?: number;
  /** A store whose buckets have no versions, and do not know the question. */
  readonly withoutVersions?: boolean;
  /** At most so many entries stand on a page of a list. */
  readonly pageSize?: number;
  /** Notified of each change before and after it is made. */
  readonly changing?: (change: Change) => void;
  readonly changed?: (change: Change) => void;
}

/** What the parts of the model share. */
export interface Within {
  readonly state: CloudState;
  readonly options: CloudOptions;
  readonly change: (change: Change) => void;
}
