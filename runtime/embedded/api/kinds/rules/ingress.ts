import { isIP } from 'node:net';
import { type Json, at, isJson, jsonAt, listAt, textAt, wordOf } from '../../json.ts';
import { invalidObject, invalidValue, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { label, subdomainFaults } from '../metadata.ts';
import { type KindRules, withSpec } from './rule.ts';

const isWildcard = new RegExp(`^\\*\\.${label}(\\.${label})*$`);
const wildcardRule =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** What is wrong with the name of a host, the first part of which may be a star. */
function hostFaults(host: string, field: string): readonly Cause[] {
  if (!host.includes('*')) return subdomainFaults(host, field);
  return [
    ...(host.length > 253 ? [invalidValue(field, host, 'must be no more than 253 characters')] : []),
    ...(isWildcard.test(host) ? [] : [invalidValue(field, host, wildcardRule)]),
  ];
}

/** An address may be written with zeros in front. */
const isAddress = (host: string) => isIP(host.replace(/(?<![^.])0+(?=\d)/g, '')) !== 0;

function ruleFaults(rule: unknown, path: string): readonly Cause[] {
  const host = textAt(rule, 'host');
  return [
    ...(isAddress(host) ? [invalidValue(`${path}.host`, host, 'must be a DNS name, not an IP address')] : []),
    ...(host === '' ? [] : hostFaults(host, `${path}.host`)),
    ...listAt(rule, 'http', 'paths').flatMap((one, index) => pathFaults(one, `${path}.http.paths[${index}]`)),
  ];
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function pathFaults(path: unknown, field: string): readonly Cause[] {
  const type = at(path, 'pathType');
  const service = at(path, 'backend', 'service');
  return [
    ...(type === undefined ? [required(`${field}.pathType`, 'pathType must be specified')] : []),
    ...(type === undefined || pathTypes.includes(wordOf(type))
      ? []
      : [notSupported(`${field}.pathType`, type, pathTypes)]),
    ...(type === 'ImplementationSpecific' || textAt(path, 'path').startsWith('/') || type === undefined
      ? []
      : [invalidValue(`${field}.path`, textAt(path, 'path'), 'must be an absolute path')]),
    ...(isJson(service) && textAt(service, 'name') === '' ? [required(`${field}.backend.service.name`)] : []),
    ...(isJson(service) && !isJson(service['port'])
      ? [required(`${field}.backend`, 'port name or number is required')]
      : []),
  ];
}

export const ingress: KindRules = {
  faults: (object) => {
    const rules = listAt(object, 'spec', 'rules');
    const backed = at(object, 'spec', 'defaultBackend') !== undefined;
    return [
      ...(rules.length === 0 && !backed
        ? [invalidObject('spec', null, 'either `defaultBackend` or `rules` must be specified')]
        : []),
      ...rules.flatMap((rule, index) => ruleFaults(rule, `spec.rules[${index}]`)),
      ...listAt(object, 'spec', 'tls').flatMap((one, index) =>
        listAt(one, 'hosts').flatMap((host, position) =>
          hostFaults(wordOf(host), `spec.tls[${index}].hosts[${position}]`),
        ),
      ),
    ];
  },
};

export const ingressClass: KindRules = {
  fill: (object) => (isJson(at(object, 'spec', 'parameters')) ? withScope(object) : object),
};

const withScope = (object: Json): Json =>
  withSpec(
    {
      ...object,
      spec: { ...jsonAt(object, 'spec'), parameters: { scope: 'Cluster', ...jsonAt(object, 'spec', 'parameters') } },
    },
    {},
  );
