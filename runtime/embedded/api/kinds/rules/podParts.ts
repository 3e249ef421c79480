import { type Json, at, isJson, jsonAt, listAt, textAt } from '../../json.ts';
import { invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { label, labelRule } from '../metadata.ts';
import { qualifiedNameWhys } from '../qualifiedName.ts';

const isLabel = new RegExp(`^${label}$`);

/** What is wrong with where a pod asks to run, and by which name. */
export function placeFaults(spec: unknown, path: string): readonly Cause[] {
  const hostname = textAt(spec, 'hostname');
  return [
    ...Object.keys(jsonAt(spec, 'nodeSelector')).flatMap((key) =>
      qualifiedNameWhys(key).map((why) => invalidValue(`${path}.nodeSelector`, key, why)),
    ),
    ...(hostname === '' || isLabel.test(hostname) ? [] : [invalidValue(`${path}.hostname`, hostname, labelRule)]),
    ...listAt(spec, 'tolerations').flatMap((one, index) => tolerationFaults(one, `${path}.tolerations[${index}]`)),
  ];
}

function tolerationFaults(toleration: unknown, path: string): readonly Cause[] {
  const value = textAt(toleration, 'value');
  return textAt(toleration, 'operator') === 'Exists' && value !== ''
    ? [invalidValue(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'")]
    : [];
}

/** What is wrong with the name of an amount that a container is limited to or asks for. */
export const resourceNameFaults = (name: string, path: string): readonly Cause[] =>
  name.includes('/') || /^(cpu|memory|ephemeral-storage|hugepages-.+)$/.test(name)
    ? []
    : ['must be a standard resource type or fully qualified', 'must be a standard resource for containers'].map((why) =>
        invalidValue(path, name, why),
      );

const podFields =
  /^(metadata\.(name|namespace|uid|labels|annotations|(labels|annotations)\['.+'\])|spec\.(nodeName|serviceAccountName)|status\.(hostIPs?|podIPs?))$/;

const variable = /^[ -<>-~]+$/;
const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

/** What is wrong with a variable of the environment: its name, and that it has two values or none that is known. */
export function envFaults(env: unknown, path: string): readonly Cause[] {
  const name = textAt(env, 'name');
  const from = at(env, 'valueFrom');
  const why = "a valid environment variable name must consist only of printable ASCII characters other than '='";
  return [
    ...(name === '' ? [required(`${path}.name`)] : []),
    ...(name !== '' && !variable.test(name) ? [invalidValue(`${path}.name`, name, why)] : []),
    ...(isJson(from) ? sourceFaults(env, from, `${path}.valueFrom`) : []),
  ];
}

function sourceFaults(env: unknown, from: Json, path: string): readonly Cause[] {
  const given = sources.filter((name) => from[name] !== undefined);
  const [last = '', ...others] = sources.toReversed().map((name) => `\`${name}\``);
  const list = `${others.toReversed().join(', ')} or ${last}`;
  if (given.length === 0) return [invalidValue(path, '', `must specify one of: ${list}`)];
  if (textAt(env, 'value') !== '') return [invalidValue(path, '', 'may not be specified when `value` is not empty')];
  const field = textAt(from, 'fieldRef', 'fieldPath');
  if (given.length === 1 && field !== '' && !podFields.test(field))
    return [
      invalidValue(
        `${path}.fieldRef.fieldPath`,
        field,
        `error converting fieldPath: field label not supported: ${field}`,
      ),
    ];
  return given.length > 1 ? [invalidValue(path, '', 'may not have more than one field specified at a time')] : [];
}

/** A hook must say what it does. */
export const hookFaults = (hook: unknown, path: string): readonly Cause[] =>
  isJson(hook) && !['exec', 'httpGet', 'tcpSocket', 'sleep'].some((name) => hook[name] !== undefined)
    ? [required(path, 'must specify a handler type')]
    : [];

/** What is wrong with the name of a port; it may have none. */
export function portNameFaults(name: string, path: string): readonly Cause[] {
  const refuse = (why: string) => [invalidValue(path, name, why)];
  if (name === '') return [];
  return [
    ...(name.length > 15 ? refuse('must be no more than 15 characters') : []),
    ...(/^[-a-z0-9]+$/.test(name)
      ? []
      : refuse('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')),
    ...(/[a-z]/.test(name) ? [] : refuse('must contain at least one letter (a-z)')),
    ...(name.includes('--') ? refuse('must not contain consecutive hyphens') : []),
    ...(/^-|-$/.test(name) ? refuse('must not begin or end with a hyphen') : []),
  ];
}
