/** What a failure does to the row: nothing, one more, or the end at once. */
export type FailureClass = 'waiting' | 'counted' | 'permanent';

/** What is waited for; how long a thing may be waited for is decided where it is waited for. */
const waiting: readonly string[] = [
  'draft',
  'podsStarting',
  'chartInstalling',
  'storageStarting',
  'managedDbStarting',
  'administratorLoginAwaited',
  'databaseBeingCreated',
  'serverNotReady',
  'serverUnavailable',
  // The temporary errors of a project, by the names of its events; all its other errors count.
  'clusterNotReady',
  'clusterChanged',
  'environmentDoubled',
];

/** What no further try can mend. */
const permanent: readonly string[] = [
  'engineUnsupported',
  'accessDenied',
  'credentialInvalid',
  'configurationInvalid',
  'creationJobFailed',
];

/** Everything that is neither waited for nor permanent counts. */
export function failureClass(kind: string): FailureClass {
  if (waiting.includes(kind)) return 'waiting';
  return permanent.includes(kind) ? 'permanent' : 'counted';
}
