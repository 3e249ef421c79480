/** What the documented manual reset of a build writes into its status (document 000, "Running a build again"). */
export const manualReset = {
  phase: 'Pending',
  failureReason: '',
  sourceRevision: '',
  ciState: '',
  imageDigest: null,
  logRef: '',
  startedAt: null,
  completedAt: null,
} as const;
