import type { CoreApp } from '../../../crds/coreApp.ts';
import { specOf } from '../../../rules/service/deployed.ts';
import type { Ensure } from '../../contract/ensure.ts';
import { branchFollowed } from './ensures/branch.ts';
import { ensureBuild } from './ensures/build.ts';
import { recordEnsures } from './ensures/records.ts';
import { buildOfSettings } from './observe/source.ts';
/** What a pass over a service keeps true, in this order: an ensure without a retry of its own ends it when it fails. */
export const serviceEnsures = (gitUrl: string): Readonly<Record<string, Ensure<CoreApp>>> => ({
  ...recordEnsures,
  buildExists: { run: ensureBuild },
  branchFollowed: branchFollowed({
    gitUrl,
    buildOf: (app, reader) => buildOfSettings({ ...app, spec: specOf(app) }, reader),
  }),
});
