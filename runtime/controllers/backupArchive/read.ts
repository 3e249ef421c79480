export { baseIds, infoKey, objectsUnder, type Folder } from './ask/folders.ts';
export { bucketListings, type BucketListings } from './ask/bucketListings.ts';
export { bucketAccess } from './observe/account.ts';
export { archiveOf, isRetired } from './observe/archives.ts';
export { backupOutcome, finalBackupSeen } from './observe/finalBackup.ts';
export { isBackedUpNow } from './observe/owner.ts';
export { dumpsOf, isMadeFor, postgresTold, progressOf } from './observe/progress.ts';
