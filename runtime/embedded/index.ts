/** All that the rest of the program may know of the embedded cluster. */
export { apiAudiences } from './api/authentication/authenticator.ts';
export { bucket as accessBuckets } from './api/authorization/policy.ts';
export { keptCertificates } from './api/identity.ts';
export { type Json, isJson, jsonAt, textAt } from './api/json.ts';
export type { Api } from './api/server.ts';
export { BadData } from './badData.ts';
export { isReaderElsewhere } from './backup/reader.ts';
export { restoreBackup, unfinishedRestore } from './backup/restore.ts';
export { writeBackup } from './backup/write.ts';
export { makeDataDir, namesIn, removeEmpty } from './dataDir/folder.ts';
export { lockDataDir, lockName } from './dataDir/lock.ts';
export { closeToOthers } from './dataDir/rights.ts';
export { jsonIn, keptFile, textsIn } from './keptFile.ts';
export { checkKeys } from './keyPair.ts';
export { defaultNodes } from './nodes/defaults.ts';
export { startCluster } from './startCluster.ts';
export type { Bucket, Change, Place, Store, Stored } from './store.ts';
export type { Surroundings } from './surroundings.ts';
