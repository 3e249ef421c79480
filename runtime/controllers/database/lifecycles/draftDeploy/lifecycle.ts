import type { CoreDatabase } from '../../../../../crds/coreDatabase.ts';
import type { AnyLifecycle } from '../../../../contract/lifecycle.ts';
import { draftDeployOf } from '../../../provisioned/draftDeploy.ts';
import { roomOf } from '../../observe/room.ts';

/** What is deployed of a database. */
export const databaseDraft = (): AnyLifecycle => draftDeployOf<CoreDatabase>({ kind: 'database', room: roomOf });
