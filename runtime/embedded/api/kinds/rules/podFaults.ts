import { type Json, at, isJson, jsonAt, listAt, textAt, wordOf } from '../../json.ts';
import { milli } from '../../../nodes/quantity.ts';
import { duplicate, forbiddenField, invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { labelNameFaults } from '../metadata.ts';
import { envFaults, hookFaults, placeFaults, portNameFaults, resourceNameFaults } from './podParts.ts';
import { duplicates, negatives, portFaults } from './rule.ts';
import { insideFaults, volumeFaults } from './volumeFaults.ts';

/** What is wrong with the spec of a pod. */
export function podSpecFaults(spec: unknown, path: string): readonly Cause[] {
  const volumes = listAt(spec, 'volumes');
  const ofVolumes = volumes.map((one, index) => volumeFaults(one, `${path}.volumes[${index}]`));
  // A volume with a fault is none that could be mounted.
  const names = new Set(volumes.filter((_, index) => ofVolumes[index]?.length === 0).map((one) => textAt(one, 'name')));
  const containers = listAt(spec, 'containers');
  return [
    ...ofVolumes.flat(),
    ...duplicates(volumes, `${path}.volumes`, 'name'),
    ...(containers.length === 0 ? [required(`${path}.containers`)] : []),
    ...containers.flatMap((one, index) => containerFaults(one, `${path}.containers[${index}]`, names)),
    ...duplicates(containers, `${path}.containers`, 'name'),
    ...listAt(spec, 'initContainers').flatMap((one, index) => [
      ...containerFaults(one, `${path}.initContainers[${index}]`, names),
      ...initFaults(one, `${path}.initContainers[${index}]`),
    ]),
    ...clashes(spec, path),
    ...placeFaults(spec, path),
    ...(at(spec, 'activeDeadlineSeconds') === 0
      ? [invalidValue(`${path}.activeDeadlineSeconds`, 0, 'must be between 1 and 2147483647, inclusive')]
      : []),
  ];
}

/** Init containers and containers share their names. */
function clashes(spec: unknown, path: string): readonly Cause[] {
  const containers = listAt(spec, 'containers');
  const others = new Set(containers.map((one) => textAt(one, 'name')));
  return listAt(spec, 'initContainers').flatMap((one, index) => {
    const name = textAt(one, 'name');
    if (name !== '' && others.has(name)) return [duplicate(`${path}.initContainers[${index}].name`, name)];
    others.add(name);
    return [];
  });
}

/** An init container that ends before the others begin has nobody to ask whether it is well. */
const initFaults = (container: unknown, path: string): readonly Cause[] =>
  textAt(container, 'restartPolicy') === 'Always'
    ? []
    : ['lifecycle', ...probeNames]
        .filter((name) => at(container, name) !== undefined && !isOnlySignal(at(container, name)))
        .map((name) =>
          forbiddenField(`${path}.${name}`, 'may not be set for init containers without restartPolicy=Always'),
        );

const nameFaults = (name: string, path: string): readonly Cause[] =>
  name === '' ? [required(path)] : labelNameFaults(name, path);

/** By which signal it is stopped is said of any container. */
const isOnlySignal = (lifecycle: unknown) => Object.keys(jsonAt(lifecycle)).join() === 'stopSignal';

function containerFaults(container: unknown, path: string, volumes: ReadonlySet<string>): readonly Cause[] {
  const ports = listAt(container, 'ports');
  return [
    ...nameFaults(textAt(container, 'name'), `${path}.name`),
    ...(textAt(container, 'image') === '' ? [required(`${path}.image`)] : []),
    ...(textAt(container, 'image') !== textAt(container, 'image').trim()
      ? [invalidValue(`${path}.image`, textAt(container, 'image'), 'must not have leading or trailing whitespace')]
      : []),
    ...ports.flatMap((port, index) => containerPortFaults(port, `${path}.ports[${index}]`)),
    ...duplicates(ports, `${path}.ports`, 'name'),
    ...listAt(container, 'env').flatMap((one, index) => envFaults(one, `${path}.env[${index}]`)),
    ...['postStart', 'preStop'].flatMap((name) =>
      hookFaults(at(container, 'lifecycle', name), `${path}.lifecycle.${name}`),
    ),
    ...mountsFaults(container, `${path}.volumeMounts`, volumes),
    ...listAt(container, 'volumeDevices').flatMap((device, index) =>
      volumeOf(device, `${path}.volumeDevices[${index}]`, volumes),
    ),
    ...probeNames.flatMap((name) => probeFaults(at(container, name), `${path}.${name}`)),
    ...resourceFaults(at(container, 'resources'), `${path}.resources`),
  ];
}

const probeNames = ['livenessProbe', 'readinessProbe', 'startupProbe'];

function containerPortFaults(port: unknown, path: string): readonly Cause[] {
  const number = at(port, 'containerPort');
  return [
    ...(number === undefined || number === 0 ? [required(`${path}.containerPort`)] : []),
    ...(number === 0 ? [] : portFaults(number, `${path}.containerPort`)),
    ...portNameFaults(textAt(port, 'name'), `${path}.name`),
    ...(at(port, 'hostPort') === 0 ? [] : portFaults(at(port, 'hostPort'), `${path}.hostPort`)),
  ];
}

/** What is wrong with where a container mounts its volumes: each place is taken once. */
function mountsFaults(container: unknown, path: string, volumes: ReadonlySet<string>): readonly Cause[] {
  const taken = new Set<string>();
  return listAt(container, 'volumeMounts').flatMap((mount, index) => {
    const place = textAt(mount, 'mountPath');
    const field = `${path}[${index}]`;
    const isTaken = taken.has(place);
    taken.add(place);
    return [
      ...volumeOf(mount, field, volumes),
      ...(place === '' ? [required(`${field}.mountPath`)] : []),
      ...(isTaken && place !== '' ? [invalidValue(`${field}.mountPath`, place, 'must be unique')] : []),
      ...insideFaults(textAt(mount, 'subPath'), `${path}.subPath`),
    ];
  });
}

function volumeOf(mount: unknown, path: string, volumes: ReadonlySet<string>): readonly Cause[] {
  const name = textAt(mount, 'name');
  const field = `${path}.name`;
  return [
    ...(name === '' ? [required(field)] : []),
    ...(volumes.has(name)
      ? []
      : [{ field, reason: 'FieldValueNotFound' as const, message: `Not found: ${JSON.stringify(name)}` }]),
  ];
}

function probeFaults(probe: unknown, path: string): readonly Cause[] {
  if (!isJson(probe)) return [];
  const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'].filter((name) => probe[name] !== undefined);
  const fields = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];
  const { successThreshold: times = 1 } = probe;
  if (handlers.length > 1)
    return handlers
      .slice(1)
      .map((name) => forbiddenField(`${path}.${name}`, 'may not specify more than 1 handler type'));
  return [
    ...(handlers.length === 0 ? [required(path, 'must specify a handler type')] : []),
    ...(times !== 1 && times !== 0 && !path.endsWith('readinessProbe')
      ? [invalidValue(`${path}.successThreshold`, times, 'must be 1')]
      : []),
    ...portFaults(at(probe, 'httpGet', 'port'), `${path}.httpGet.port`),
    ...portFaults(at(probe, 'tcpSocket', 'port'), `${path}.tcpSocket.port`),
    ...negatives(probe, path, fields),
  ];
}

/** Nothing may be asked for that is above its limit. */
function resourceFaults(resources: unknown, path: string): readonly Cause[] {
  const limits = jsonAt(resources, 'limits');
  const requests = jsonAt(resources, 'requests');
  return [
    ...['limits', 'requests'].flatMap((list) =>
      Object.keys(jsonAt(resources, list)).flatMap((name) => resourceNameFaults(name, `${path}.${list}[${name}]`)),
    ),
    ...['limits', 'requests'].flatMap((list) =>
      Object.entries(jsonAt(resources, list))
        .filter(([, amount]) => wordOf(amount).startsWith('-'))
        .map(([name, amount]) =>
          invalidValue(`${path}.${list}[${name}]`, amount, 'must be greater than or equal to 0'),
        ),
    ),
    ...Object.entries(requests).flatMap(([name, amount]) => tooMuch({ name, amount, limit: limits[name] }, path)),
  ];
}

interface Asked {
  readonly name: string;
  readonly amount: unknown;
  readonly limit: unknown;
}

function tooMuch({ name, amount, limit }: Asked, path: string): readonly Cause[] {
  if (limit === undefined || milli(wordOf(amount)) <= milli(wordOf(limit))) return [];
  const why = `must be less than or equal to ${name} limit of ${wordOf(limit)}`;
  return [invalidValue(`${path}.requests`, wordOf(amount), why)];
}

/** What of the spec of a pod may change while it lives. */
export function podChangeFaults(pod: Json, old: Json): readonly Cause[] {
  const before = JSON.stringify(frozen(jsonAt(old, 'spec')));
  if (before === JSON.stringify(frozen(jsonAt(pod, 'spec')))) return [];
  const why =
    'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
  return [{ field: 'spec', reason: 'FieldValueForbidden', message: `Forbidden: ${why}` }];
}

const free = ['activeDeadlineSeconds', 'tolerations', 'terminationGracePeriodSeconds', 'nodeName', 'schedulingGates'];

/** The spec without what may change, its fields in one order. */
function frozen(spec: Json): unknown {
  return ordered({
    ...Object.fromEntries(Object.entries(spec).filter(([name]) => !free.includes(name))),
    containers: listAt(spec, 'containers').map((one) => ({ ...(isJson(one) ? one : {}), image: '' })),
    initContainers: listAt(spec, 'initContainers').map((one) => ({ ...(isJson(one) ? one : {}), image: '' })),
    ephemeralContainers: [],
  });
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isJson(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, ordered(one)]),
  );
}
