import { StatusError } from '../../../runtime/embedded/api/status.ts';
import { type Failure, failureOfStatus } from '../../../runtime/services/kube/failure.ts';

/** A refusal as the client of a real API reads it; anything else that was thrown is a mistake of the specs. */
export function refusalOf(thrown: unknown): Failure {
  if (thrown instanceof StatusError) return failureOfStatus(thrown.body.code, thrown.body);
  throw thrown;
}
