/**
 * The row of a provisioning that is given up by its next counted failure. Four failures take two minutes; what counts
 * them is held in virtual time (specs/runtime/controllers/service).
 */
export function fourFailures() {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  return { reconcileFailures: 4, reconcileFailureStarted: ago(100), lastFailureAt: ago(31) };
}
