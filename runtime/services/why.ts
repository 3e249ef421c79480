/** Any failure of the runtime: its fields besides the tag depend on its kind. */
interface Failure {
  readonly _tag: string;
  readonly why?: string;
  readonly text?: string;
  readonly message?: string;
  readonly what?: string;
}

/** The message of a failure for people. */
export const why = (failure: Failure): string =>
  failure.why || failure.text || failure.message || (failure.what ? `${failure._tag}: ${failure.what}` : failure._tag);
