import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import { annotation } from '../../../../crds/names.ts';
import type { DraftDeployState } from '../../../../machines/names.ts';
import { hashOf } from '../../../../rules/canonical.ts';
import { revisionOf } from '../../../../rules/draftDeploy/stored.ts';
import type { FunctionSettled } from '../../../../rules/function/settled.ts';
import type { Placement } from '../../../../rules/placement.ts';
import { namespaceOf } from '../../../../rules/project/environment.ts';
import { isAutoscaled, replicasOf } from '../../../../rules/service/effective.ts';
import { variablesName } from '../../../../rules/service/names.ts';
import type { Rollout, Settled } from '../../../../rules/service/settled.ts';
import { standingAdditions } from '../../../../rules/service/template.ts';
import type { WakePlan } from '../../../../rules/service/wakePlan.ts';
import { isScaledElsewhere } from '../../../cache/appliedFields.ts';
import { owned } from '../../../owned/owned.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { projectPlacement } from '../../placement.ts';
import { availableCapacity } from '../../capacity.ts';
import { runnerFiles } from '../../../services/runners.ts';
import { tokenOf } from './functionToken.ts';
import { publicHostOf } from '../observe/host.ts';
import { connectionsOf, sharedOf } from './injected.ts';
import { pullConfig, secretContent } from './secretData.ts';
import { deploymentOf } from '../observe/pods.ts';
import { imageOf, settingsOf } from '../observe/source.ts';
import { plannedWake } from './wake.ts';

/** The placement of a service's pods, by the current project, because project changes apply at once. */
export const placementOf = ({ project }: AppSpec, reader: CacheReader): Placement => projectPlacement(project, reader);

/** The image pull Secret: of the image, else of the registry of its builds. */
export function pullSecretOf(app: CoreApp, reader: CacheReader): string {
  const { source, build } = app.spec;
  if (source.git === undefined) return source.imagePullSecretRef?.name ?? '';
  const own = build?.registry;
  return (own?.repository ? own.credentialRef?.name : settingsOf(app, reader).platform.credential) ?? '';
}

/** The number of copies to write; null once an autoscaler, or the serverless add-on, has set it. */
export function replicasToWrite(
  app: CoreApp,
  spec: AppSpec,
  { reader, wake }: { readonly reader: CacheReader; readonly wake: WakePlan },
): number | null {
  const live = deploymentOf(app, spec, reader);
  if (!(isAutoscaled(spec) || wake.scaled) || live === undefined) return replicasOf(spec);
  // An autoscaler does not scale from zero, so a service that slept would stay at zero.
  if (!wake.scaled && live.spec?.replicas === 0) return replicasOf(spec);
  return isScaledElsewhere(live) ? null : (live.spec?.replicas ?? 1);
}

/** Changes with every variable of a service without a gate; values of Secrets count by the version of the Secret. */
function variablesRevision(app: CoreApp, spec: AppSpec, { gate, reader }: Settling): string {
  if (gate !== 'Ungated') return '';
  const { config, secretVariables, secretRefs, sharedVariableRefs, connectionRefs } = spec;
  const secret = reader.get(
    owned.secrets,
    variablesName(app.metadata.name),
    namespaceOf(spec.project, spec.environment),
  );
  const version = secret?.metadata.resourceVersion ?? '';
  return hashOf({ config, secretVariables, secretRefs, sharedVariableRefs, connectionRefs, version }).slice(0, 16);
}

/** The inputs of a rollout; a surge pod has to fit on a node beside all pods of the service. */
function rolloutOf(app: CoreApp, spec: AppSpec, reader: CacheReader): Rollout {
  const live = deploymentOf(app, spec, reader);
  const { [annotation.rollout]: rollout = '', [annotation.templateAdditions]: text = '' } =
    live?.metadata.annotations ?? {};
  return {
    stands: rollout,
    added: standingAdditions(live?.spec?.template, text),
    hasRoom: () => {
      const one = { resources: spec.resources, copies: 1, placement: placementOf(spec, reader), own: [] };
      const { nodes, crowded } = availableCapacity(one, reader);
      return nodes === 'fit' && crowded === null;
    },
  };
}

export interface Settling {
  readonly gate: DraftDeployState;
  /** The token of scheduled calls; undefined to take the one in the cache. */
  readonly token?: string | null | undefined;
  /** The desired sleep objects; undefined for those by the cache. */
  readonly wake?: WakePlan | undefined;
  readonly reader: CacheReader;
}

function functionSettled(app: CoreApp, spec: AppSpec, { reader, token }: Settling): FunctionSettled | null {
  const { function: code } = spec.source;
  return code ? { files: runnerFiles(code.runtime), token: token ?? tokenOf(app, spec, reader) } : null;
}

/** The settings of a service besides its running spec. */
export function settledOf(app: CoreApp, spec: AppSpec, settling: Settling): Settled {
  const { reader, wake = plannedWake(app, spec, settling.reader) } = settling;
  const running: CoreApp = { ...app, spec };
  const placement = placementOf(spec, reader);
  return {
    image: imageOf(running, reader),
    placement,
    deployRevision: revisionOf(app),
    variablesRevision: variablesRevision(app, spec, settling),
    injected: [...sharedOf(spec, reader), ...connectionsOf(spec)],
    secretData: secretContent(app, spec, reader).data,
    pullConfig: pullConfig(pullSecretOf(running, reader), reader).config,
    host: publicHostOf(app, spec, reader),
    replicas: replicasToWrite(app, spec, { reader, wake }),
    rollout: rolloutOf(app, spec, reader),
    wake,
    function: functionSettled(app, spec, settling),
  };
}
