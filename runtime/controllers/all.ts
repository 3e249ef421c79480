import type { BuilderSettings } from '../../rules/build/job.ts';
import { type DatabaseImages, databaseImages } from '../../rules/database/images.ts';
import { everyKind } from '../kinds.ts';
import type { OperatorOptions } from '../operator.ts';
import { appController } from './app/controller.ts';
import { backupArchiveController } from './backup/archiveController.ts';
import { backupLooks } from './backup/looks.ts';
import { buildController } from './build/controller.ts';
import { cloudConnectionController } from './cloud/controller.ts';
import { backupStorages } from './cloud/storage.ts';
import { connectionController } from './connection.ts';
import { consoleSessionController } from './consoleSession.ts';
import { databaseController } from './database/controller.ts';
import { activeDeploymentController } from './deployment/active.ts';
import { deploymentRecordController } from './deployment/record.ts';
import { projectController } from './project/controller.ts';
import type { HasTokens } from './project/release.ts';
import { type Holders, noTerminals } from '../terminals/holders.ts';

/** Every kind that is reconciled; every kind is cached, because facts are read from some and all are shown. */
export const everything = (
  settings: BuilderSettings,
  hasTokens?: HasTokens,
  holders: Holders = noTerminals(),
  images: DatabaseImages = databaseImages,
): Pick<OperatorOptions, 'controllers' | 'alsoSeen'> => {
  const storages = backupStorages();
  const looks = backupLooks(storages);
  return {
    controllers: [
      buildController(settings),
      appController(settings),
      connectionController(),
      cloudConnectionController(),
      consoleSessionController(holders),
      projectController(hasTokens, storages),
      databaseController(images, looks),
      backupArchiveController(looks),
      deploymentRecordController(),
      activeDeploymentController(),
    ],
    alsoSeen: everyKind,
  };
};
