/** Any failure of the runtime: what it carries beside its tag depends on its kind. */
interface Failure {
  readonly _tag: string;
  readonly why?: string;
  readonly text?: string;
  readonly message?: string;
  readonly what?: string;
}

/** A failure in the words a person reads. */
export const why = (failure: Failure): string =>
  failure.why || failure.text || failure.message || (failure.what ? `${failure._tag}: ${failure.what}` : failure._tag);
