export const noBucketOnServer = 'No bucket is on it.';
export const notUsed = 'No service reads it, and no build log is kept in it.';
