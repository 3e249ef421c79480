import { isIP } from 'node:net';
import { type Json, isJson, jsonAt, listAt, textAt, wordOf } from '../../json.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { type KindRules, eachItem } from './rule.ts';

const directions = ['Ingress', 'Egress'];

function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

function peerFaults(peer: unknown, path: string): readonly Cause[] {
  const sources = isJson(peer) ? Object.keys(peer) : [];
  if (sources.length === 0) return [required(path, 'must specify a peer')];
  if (!sources.includes('ipBlock')) return [];
  const cidr = textAt(peer, 'ipBlock', 'cidr');
  return [
    ...(sources.length > 1 ? [forbiddenField(path, 'may not specify both ipBlock and another peer')] : []),
    ...(cidr === '' ? [required(`${path}.ipBlock.cidr`)] : []),
    ...(cidr === '' || isCidr(cidr)
      ? []
      : [
          invalidValue(`${path}.ipBlock.cidr`, cidr, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'),
        ]),
  ];
}

const ruleFaults = (object: Json, direction: string, peers: string): readonly Cause[] =>
  listAt(object, 'spec', direction).flatMap((rule, ruleAt) =>
    listAt(rule, peers).flatMap((peer, index) => peerFaults(peer, `spec.${direction}[${ruleAt}].${peers}[${index}]`)),
  );

export const networkPolicy: KindRules = {
  fill: (object) => {
    const spec = jsonAt(object, 'spec');
    const ports = (rule: Json): Json => ({
      ...rule,
      ...eachItem(rule, 'ports', (port) => ({ protocol: 'TCP', ...port })),
    });
    const policyTypes = ['Ingress', ...(listAt(spec, 'egress').length > 0 ? ['Egress'] : [])];
    const filled = {
      policyTypes,
      podSelector: {},
      ...spec,
      ...eachItem(spec, 'ingress', ports),
      ...eachItem(spec, 'egress', ports),
    };
    return { ...object, spec: filled };
  },
  faults: (object) => [
    ...listAt(object, 'spec', 'policyTypes').flatMap((type, index) =>
      directions.includes(wordOf(type)) ? [] : [notSupported(`spec.policyTypes[${index}]`, type, directions)],
    ),
    ...ruleFaults(object, 'ingress', 'from'),
    ...ruleFaults(object, 'egress', 'to'),
  ],
};
