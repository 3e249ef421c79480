/**
 * The images built into a podman node: a builder Job uses two of them unless the settings name others, and chart Jobs
 * the third.
 */
export const nodeImages = { git: 'node.local/git', builder: 'node.local/builder', helm: 'node.local/helm' } as const;

/** The registry of the first start: with podman its images stay on this machine, and nothing is pushed. */
export const localRegistry = 'registry.local';
