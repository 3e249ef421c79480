import { Effect } from 'effect';
import { coreApp, type CoreApp } from '../../../crds/coreApp.ts';
import { key } from '../../../crds/names.ts';
import type { BuilderSettings } from '../../../rules/build/job.ts';
import { withCondition } from '../../../rules/condition.ts';
import { revisionOf } from '../../../rules/draftDeploy/stored.ts';
import { known } from '../../../rules/fact.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import { hindranceIn } from '../../../rules/service/hindrance.ts';
import { urlOf } from '../../../rules/service/reached.ts';
import { variablesName } from '../../../rules/service/names.ts';
import { serviceOutcome, serviceReady } from '../../../rules/service/ready.ts';
import { isVariablesOf } from '../../../rules/service/variables.ts';
import { readOut } from '../../../rules/verdict.ts';
import { apps } from '../../services/cluster/kinds.ts';
import type { AnyLifecycle } from '../../contract/lifecycle.ts';
import { draftDeployOf, gateIn } from '../provisioned/draftDeploy.ts';
import { removeRecordsOf } from '../deployment/read.ts';
import { gaveUpOf, isRetried } from '../provisioned/provisioning.ts';
import { ownedSecrets } from '../../owned/ownedSecrets.ts';
import { provisionRetryOf } from '../provisioned/retry.ts';
import { serviceEnsures } from './ensures.ts';
import { imageThatRuns, isNewDeploy } from './observe/deploy.ts';
import { gateOf, specOf } from '../../../rules/service/deployed.ts';
import { defaultHostPatch, publicHostOf } from './observe/host.ts';
import { type Pieces, servicePieces } from './owned.ts';
import { phaseOf, serviceProvisioned } from './lifecycle.ts';
import { listed, recordedDeploy, recordWatch } from './ensures/records.ts';
import { buildOfSettings, imageOf } from './observe/source.ts';
import { roomOf, serviceSeen } from './observe.ts';
import { sleepSeen } from './owned/wake.ts';
import { watches } from './controller/watches.ts';
import { type Controller, controller, type Deriving } from '../../contract/controller.ts';

export interface AppHosting extends Pick<BuilderSettings, 'gitUrl'> {
  /** The port at which this machine lets visitors of its own hosts in; null where it does not. */
  readonly visitorsPort?: number | null;
}

/** CoreApp: drafts, deploys and runs a service, and has its repository built. */
export function appController({ gitUrl, visitorsPort = null }: AppHosting): Controller {
  const pieces = servicePieces();
  const beside = ownedSecrets<CoreApp>({
    kind: coreApp,
    namesOf: ({ metadata }) => [variablesName(metadata.name)],
    isOf: isVariablesOf,
  });
  return controller<CoreApp>({
    resource: apps,
    lifecycles: [
      draftDeployOf<CoreApp>({ kind: 'service', room: roomOf, records: listed }),
      retriesOf(pieces),
      serviceProvisioned(pieces),
    ],
    watches: [...pieces.watches, ...watches, recordWatch],
    derive: (app, deriving) => derive(app, deriving, { pieces, visitorsPort }),
    ensures: { ...serviceEnsures(pieces, gitUrl), secretsOwned: beside.ensure },
    adopt: defaultHostPatch(visitorsPort !== null),
    finalizer: {
      name: key('app'),
      release: { run: (given) => Effect.andThen(removeRecordsOf(given), beside.release.run(given)) },
    },
    absent: pieces.sweep,
  });
}

const retriesOf = (pieces: Pieces): AnyLifecycle =>
  provisionRetryOf<CoreApp>({
    rowOf: 'anyKind',
    outcome: (app, reader, moment) =>
      known(serviceOutcome(serviceSeen(app, { reader, pieces, gate: gateIn(moment), failure: moment.failure }))),
    ask: (app, reader) =>
      Effect.succeed(known(serviceOutcome(serviceSeen(app, { reader, pieces, gate: gateOf(app), failure: null })))),
    deploys: {
      isNew: isNewDeploy,
      takeUp: (app, reader) => ({ deployRevision: revisionOf(app), takenUpImage: imageThatRuns(app, reader) }),
    },
  });

interface Given {
  readonly pieces: Pieces;
  readonly visitorsPort: number | null;
}

/** What follows from what is observed: Ready, by the states that the machines reached, and what it refers to. */
function derive(app: CoreApp, { reader, now, failure }: Deriving, { pieces, visitorsPort }: Given) {
  const gate = gateOf(app);
  const spec = specOf(app, gate);
  const running: CoreApp = { ...app, spec };
  const around = serviceSeen(app, { reader, pieces, gate, failure });
  const standing = {
    ...around,
    leaving: phaseOf(app) === 'Deleting' ? ('deletion' as const) : null,
    retrying: isRetried(app),
    gaveUp: gaveUpOf(app, () => hindranceIn(around)?.message(around)),
  };
  return {
    recordedDeploy: recordedDeploy(app, reader),
    targetNamespace: namespaceOf(spec.project, spec.environment),
    currentBuild: buildOfSettings(running, reader)?.metadata.name ?? app.status?.currentBuild ?? null,
    resolvedImage: imageOf(running, reader) || null,
    scaleToZero: gate === 'Draft' ? null : sleepSeen(app, spec, reader),
    url: (gate === 'Draft' ? '' : urlOf(publicHostOf(app, spec, reader), spec, visitorsPort)) || null,
    conditions: withCondition(app, readOut('Ready', serviceReady, standing), now),
  };
}
