/** A ref that a push changed; `before` and `after` are the zero sha when the ref did not exist. */
export interface RefChange {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}

/** The sha of a ref that does not exist. */
export const zeroSha = '0'.repeat(40);
