import type { CoreApp } from '../../../crds/coreApp.ts';
import { gateOf, specOf } from '../../../rules/service/deployed.ts';
import type { Ensure } from '../../contract/ensure.ts';
import { reapplied } from '../provisioned/provisioning.ts';
import { branchFollowed } from './ensures/branch.ts';
import { ensureBuild } from './ensures/build.ts';
import { recordEnsures } from './ensures/records.ts';
import { serviceSeen } from './observe.ts';
import { buildOfSettings } from './observe/source.ts';
import type { Pieces } from './owned.ts';

/** What a pass over a service keeps true, in this order: an ensure without a retry of its own ends it when it fails. */
export const serviceEnsures = (pieces: Pieces, gitUrl: string): Readonly<Record<string, Ensure<CoreApp>>> => ({
  ...recordEnsures,
  buildExists: { run: ensureBuild },
  branchFollowed: branchFollowed({
    gitUrl,
    buildOf: (app, reader) => buildOfSettings({ ...app, spec: specOf(app) }, reader),
  }),
  contested: reapplied({
    isOverwritten: (app, reader) =>
      serviceSeen(app, { reader, pieces, gate: gateOf(app), failure: null }).contested.length > 0,
    apply: pieces.apply,
  }),
  settled: pieces.settled,
});
