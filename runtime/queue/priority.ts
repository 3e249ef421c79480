/** Changes are queued with high priority, resync with low. */
export type Priority = 'high' | 'low';
