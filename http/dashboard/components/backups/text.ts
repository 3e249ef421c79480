export const noRestorePoint = 'Nothing can be restored yet.';
export const pointsDue = 'These backups are due for removal and can no longer be restored.';
