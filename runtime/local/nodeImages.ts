/**
 * The images that a node of podman runs itself: a builder Job names two of them unless the settings name others, and the
 * Jobs that install charts the third.
 */
export const nodeImages = { git: 'node.local/git', builder: 'node.local/builder', helm: 'node.local/helm' } as const;

/** The registry of the first start: with podman its images stay on this machine, and nothing is pushed. */
export const localRegistry = 'registry.local';
