import { Effect } from 'effect';
import { coreApp, type CoreApp } from '../../../crds/coreApp.ts';
import { key } from '../../../crds/names.ts';
import type { BuilderSettings } from '../../../rules/build/job.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import { urlOf } from '../../../rules/service/reached.ts';
import { variablesName } from '../../../rules/service/names.ts';
import { isVariablesOf } from '../../../rules/service/variables.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { apps } from '../../services/cluster/kinds.ts';
import { removeRecordsOf } from '../deployment/read.ts';
import { ownedSecrets } from '../../owned/ownedSecrets.ts';
import { serviceEnsures } from './ensures.ts';
import { gateOf, specOf } from '../../../rules/service/deployed.ts';
import { defaultHostPatch, publicHostOf } from './observe/host.ts';
import { serviceResources } from './owned.ts';
import { deploy, serviceProvisioned } from './lifecycle.ts';
import { recordedDeploy, recordWatch } from './ensures/records.ts';
import { buildOfSettings, imageOf } from './observe/source.ts';
import { sleepSeen } from './owned/wake.ts';
import { watches } from './controller/watches.ts';
import { type Controller, controller } from '../../contract/controller.ts';

export interface AppHosting extends Pick<BuilderSettings, 'gitUrl'> {
  /** The port for visitors of this machine's own hosts; null when there is none. */
  readonly visitorsPort?: number | null;
}

/** CoreApp: drafts, deploys and runs a service, and builds its repository. */
export function appController({ gitUrl, visitorsPort = null }: AppHosting): Controller {
  const ownedResources = serviceResources();
  const { retry, lifecycle, ensures, readyOf } = serviceProvisioned(ownedResources);
  const beside = ownedSecrets<CoreApp>({
    kind: coreApp,
    namesOf: ({ metadata }) => [variablesName(metadata.name)],
    isOf: isVariablesOf,
  });
  return controller<CoreApp>({
    resource: apps,
    lifecycles: [deploy.draftDeploy, retry, lifecycle],
    watches: [...ownedResources.watches, ...watches, recordWatch],
    derive: (app, deriving) => ({
      ...derive(app, deriving.reader, visitorsPort),
      conditions: readyOf(app, deriving).conditions,
    }),
    causes: (app, deriving) => readyOf(app, deriving).findings(),
    ensures: { ...serviceEnsures(gitUrl), ...ensures, secretsOwned: beside.ensure },
    defaults: defaultHostPatch(visitorsPort !== null),
    finalizer: {
      name: key('app'),
      release: { run: (given) => Effect.andThen(removeRecordsOf(given), beside.release.run(given)) },
    },
    onMissing: ownedResources.sweep,
  });
}

/** Derives what runs, where, and how it is reached; Ready is separate. */
function derive(app: CoreApp, reader: CacheReader, visitorsPort: number | null) {
  const gate = gateOf(app);
  const spec = specOf(app, gate);
  const running: CoreApp = { ...app, spec };
  return {
    recordedDeploy: recordedDeploy(app, reader),
    targetNamespace: namespaceOf(spec.project, spec.environment),
    currentBuild: buildOfSettings(running, reader)?.metadata.name ?? app.status?.currentBuild ?? null,
    resolvedImage: imageOf(running, reader) || null,
    scaleToZero: gate === 'Draft' ? null : sleepSeen(app, spec, reader),
    url: (gate === 'Draft' ? '' : urlOf(publicHostOf(app, spec, reader), spec, visitorsPort)) || null,
  };
}
