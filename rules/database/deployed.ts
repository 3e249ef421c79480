import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import type { DraftDeployState } from '../../machines/names.ts';
import { runningSpec } from '../draftDeploy/running.ts';
import { gateStateOf } from '../draftDeploy/waits.ts';

/** The deploy state of a database, as stored in it. */
export const gateOf = (database: CoreDatabase): DraftDeployState => gateStateOf('database', database);

/** The running spec; the current spec when none runs or the running one is unknown. */
export const specOf = (database: CoreDatabase, gate: DraftDeployState): DatabaseSpec =>
  runningSpec(gate, database) ?? database.spec;
