import { StatusError } from '../../../runtime/embedded/api/status.ts';
import { type Failure, failureOf } from '../../../runtime/services/kube/failure.ts';

/** A refusal as the client of a real API reads it; anything else that was thrown is a mistake of the specs. */
export function refusalOf(thrown: unknown): Failure {
  if (thrown instanceof StatusError) return failureOf(thrown.body.code, JSON.stringify(thrown.body));
  throw thrown;
}
