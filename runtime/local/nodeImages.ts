/** The images that a node of podman runs itself: a builder Job names them unless the settings name others. */
export const nodeImages = { git: 'node.local/git', builder: 'node.local/builder' } as const;

/** The registry of the first start: with podman its images stay on this machine, and nothing is pushed. */
export const localRegistry = 'registry.local';
