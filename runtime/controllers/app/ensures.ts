import type { CoreApp } from '../../../crds/coreApp.ts';
import { specOf } from '../../../rules/service/deployed.ts';
import type { Ensure } from '../../contract/ensure.ts';
import { branchFollowed } from './ensures/branch.ts';
import { ensureBuild } from './ensures/build.ts';
import { recordEnsures } from './ensures/records.ts';
import { buildOfSettings } from './observe/source.ts';
/** The ensures of a service in order; one without a retry ends the pass when it fails. */
export const serviceEnsures = (gitUrl: string): Readonly<Record<string, Ensure<CoreApp>>> => ({
  ...recordEnsures,
  buildExists: { run: ensureBuild },
  branchFollowed: branchFollowed({
    gitUrl,
    buildOf: (app, reader) => buildOfSettings({ ...app, spec: specOf(app) }, reader),
  }),
});
