import type { CoreApp } from '../../crds/coreApp.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { isOf } from '../owned/ownedObject.ts';
import type { DeploymentSeen } from '../pods.ts';
import { wakeName } from './names.ts';
import type { WakeState } from './wakePlan.ts';
import { isDeleting } from '../deleting.ts';

interface Routed extends KubeObject {
  readonly spec?: { readonly rules?: readonly { readonly hosts?: readonly string[] }[] };
}

interface Leading extends KubeObject {
  readonly spec?: {
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: {
        readonly paths?: readonly { readonly backend?: { readonly service?: { readonly name?: string } } }[];
      };
    }[];
  };
}

/** The live objects that let a service sleep; undefined for a missing one. */
export interface WakeObjects {
  readonly route: Routed | undefined;
  readonly proxy: KubeObject | undefined;
  readonly ingress: Leading | undefined;
  readonly scaler: KubeObject | undefined;
  readonly autoscaler: KubeObject | undefined;
  readonly deployment: DeploymentSeen | undefined;
}

const leadsTo = (ingress: Leading | undefined, service: string): readonly string[] =>
  (ingress?.spec?.rules ?? []).flatMap(({ host = '', http }) =>
    http?.paths?.some(({ backend }) => backend?.service?.name === service) === true ? [host] : [],
  );

/** Whether a copy of the newest revision is ready, or none is desired. */
function isUp(deployment: DeploymentSeen | undefined, copies: number): boolean {
  if (copies === 0) return true;
  const { observedGeneration = 0, availableReplicas = 0 } = deployment?.status ?? {};
  return availableReplicas > 0 && observedGeneration >= (deployment?.metadata.generation ?? 0);
}

/**
 * The state of these objects. `host` is the wake host, null when it should not sleep; `copies` the requested number.
 */
export function wakeState(
  { metadata: { name } }: CoreApp,
  objects: WakeObjects,
  { host, copies }: { readonly host: string | null; readonly copies: number },
): WakeState {
  const { route, proxy, ingress, scaler, autoscaler, deployment } = objects;
  const own = { kind: 'CoreApp', name };
  const isLive = (object: KubeObject | undefined) => object !== undefined && !isDeleting(object) && isOf(object, own);
  const hosts = route?.spec?.rules?.flatMap((rule) => rule.hosts ?? []) ?? [];
  return {
    routed: isLive(route) && isLive(proxy) && (host === null || hosts.includes(host)),
    led: isLive(ingress) ? leadsTo(ingress, wakeName(name)) : [],
    scaled: isLive(scaler),
    releasing: scaler?.metadata.deletionTimestamp !== undefined,
    autoscaled: isLive(autoscaler),
    up: isUp(deployment, copies),
  };
}
