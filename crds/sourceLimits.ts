/** Maximum lengths of the texts that name a source, shared because a build copies them from its service. */
export const sourceLimits = {
  repository: { maxLength: 512 },
  branch: { maxLength: 255 },
  commit: { maxLength: 255 },
  path: { maxLength: 1024 },
} as const;
