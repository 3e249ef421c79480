import { at, listAt, textAt } from '../../api/json.ts';
import { isSleepAlone } from '../preStop.ts';
import type { Pod } from '../shapes.ts';

/** Why a pod is not run here: the field that asks for what podman does not do for us; null where nothing does. */
export function refusalOf(pod: Pod): string | null {
  const field = refusedIn(pod);
  return field === undefined ? null : `${field} is not run on a node of podman`;
}

function refusedIn({ spec }: Pod): string | undefined {
  const own = [
    ...['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => at(spec, name) === true),
    ...(at(spec, 'hostUsers') === false ? ['hostUsers'] : []),
    ...(textAt(spec, 'runtimeClassName') === '' ? [] : ['runtimeClassName']),
    ...(at(spec, 'shareProcessNamespace') === true ? ['shareProcessNamespace'] : []),
    ...['resources', 'resourceClaims'].filter((name) => Object.keys(at(spec, name) ?? {}).length > 0),
    ...(listAt(spec, 'ephemeralContainers').length > 0 ? ['ephemeralContainers'] : []),
    ...(textAt(spec, 'securityContext', 'supplementalGroupsPolicy') === 'Strict'
      ? ['securityContext.supplementalGroupsPolicy']
      : []),
    ...securityOf(at(spec, 'securityContext'), 'securityContext', ['sysctls', 'seLinuxOptions', 'windowsOptions']),
  ].map((name) => `spec.${name}`);
  const volumes = listAt(spec, 'volumes').flatMap((volume, index) => {
    const sort = Object.keys(volume as object).find((name) => name !== 'name' && !volumeSorts.has(name));
    return sort === undefined ? [] : [`spec.volumes[${index}].${sort}`];
  });
  const containers = ['initContainers', 'containers'].flatMap((list) =>
    listAt(spec, list).flatMap((container, index) => ofContainer(container, `spec.${list}[${index}]`)),
  );
  return [...own, ...volumes, ...containers][0];
}

const volumeSorts = new Set(['configMap', 'secret', 'emptyDir', 'persistentVolumeClaim', 'projected', 'downwardAPI']);
const resources = new Set(['cpu', 'memory', 'ephemeral-storage']);

function ofContainer(container: unknown, path: string): readonly string[] {
  const given = (...fields: readonly string[]) => at(container, ...fields) !== undefined;
  const limits = Object.keys(at(container, 'resources', 'limits') ?? {});
  return [
    ...limits.filter((name) => !resources.has(name)).map((name) => `resources.limits[${name}]`),
    ...(listAt(container, 'resources', 'claims').length > 0 ? ['resources.claims'] : []),
    ...['volumeDevices', 'restartPolicy', 'restartPolicyRules'].filter((name) => given(name)),
    ...(isSleepAlone(at(container, 'lifecycle')) ? [] : ['lifecycle']),
    ...['livenessProbe', 'readinessProbe', 'startupProbe']
      .filter((name) => given(name, 'grpc'))
      .map((name) => `${name}.grpc`),
    ...listAt(container, 'volumeMounts').flatMap((mount, index) =>
      [
        ...(textAt(mount, 'subPathExpr') === '' ? [] : ['subPathExpr']),
        ...(['', 'None'].includes(textAt(mount, 'mountPropagation')) ? [] : ['mountPropagation']),
        ...(['', 'Disabled'].includes(textAt(mount, 'recursiveReadOnly')) ? [] : ['recursiveReadOnly']),
      ].map((name) => `volumeMounts[${index}].${name}`),
    ),
    ...listAt(container, 'ports').flatMap((port, index) => (at(port, 'hostPort') ? [`ports[${index}].hostPort`] : [])),
    ...securityOf(at(container, 'securityContext'), 'securityContext', ['seLinuxOptions', 'windowsOptions']),
  ].map((name) => `${path}.${name}`);
}

function securityOf(context: unknown, path: string, fields: readonly string[]): readonly string[] {
  const profile = (name: string) => textAt(context, name, 'type');
  return [
    ...fields.filter((name) => at(context, name) !== undefined),
    ...(at(context, 'privileged') === true ? ['privileged'] : []),
    ...(['', 'Default'].includes(textAt(context, 'procMount')) ? [] : ['procMount']),
    ...['seccompProfile', 'appArmorProfile'].filter((name) => !['', 'RuntimeDefault'].includes(profile(name))),
  ].map((name) => `${path}.${name}`);
}
