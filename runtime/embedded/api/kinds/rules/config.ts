import type { Stored } from '../../../store.ts';
import { type Json, isJson, jsonAt, same, textAt } from '../../json.ts';
import { readJson } from '../../jsonText.ts';
import { forbiddenField, invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { type KindRules, fixed } from './rule.ts';

function fillSecret(secret: Json): Json {
  const { stringData, ...others } = secret;
  const added = Object.entries(isJson(stringData) ? stringData : {}).map(
    ([key, value]) => [key, Buffer.from(String(value)).toString('base64')] as const,
  );
  const data = { ...jsonAt(secret, 'data'), ...Object.fromEntries(added) };
  return { ...others, ...(Object.keys(data).length > 0 && { data }), type: textAt(secret, 'type') || 'Opaque' };
}

const dataKey = /^[-._a-zA-Z0-9]+$/;
const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const fields = ['data', 'binaryData'] as const;

function dataFaults(object: Json): readonly Cause[] {
  const keys = fields.flatMap((field) => Object.keys(jsonAt(object, field)).map((key) => ({ field, key })));
  return keys.flatMap(({ field, key }) => {
    if (key.length > 253) return [invalidValue(`${field}[${key}]`, key, 'must be no more than 253 characters')];
    return dataKey.test(key) ? [] : [invalidValue(`${field}[${key}]`, key, keyRule)];
  });
}

/** What is marked as immutable stays so, with its data. */
function frozenFaults(object: Json, old: Stored | undefined): readonly Cause[] {
  const before: Json = { ...old };
  if (before['immutable'] !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  return [
    ...(object['immutable'] === true ? [] : [forbiddenField('immutable', why)]),
    ...fields.filter((field) => !same(object[field], before[field])).map((field) => forbiddenField(field, why)),
  ];
}

const keysOfType: ReadonlyMap<string, readonly string[]> = new Map([
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
]);
const neededKeys = (secret: Json) => keysOfType.get(textAt(secret, 'type')) ?? [];

const typeFaults = (secret: Json): readonly Cause[] =>
  neededKeys(secret)
    .filter((key) => jsonAt(secret, 'data')[key] === undefined)
    .map((key) => required(`data[${key}]`));

/** What is kept for a registry is JSON. */
function registryFaults(secret: Json): readonly Cause[] {
  return ['.dockerconfigjson', '.dockercfg'].flatMap((key) => {
    const data = jsonAt(secret, 'data')[key];
    if (typeof data !== 'string' || !neededKeys(secret).includes(key)) return [];
    const { why } = readJson(Buffer.from(data, 'base64').toString());
    return why === undefined ? [] : [invalidValue(`data[${key}]`, '<secret contents redacted>', why)];
  });
}

const accountName = 'kubernetes.io/service-account.name';

/** A token is somebody's. */
const accountFaults = (secret: Json): readonly Cause[] =>
  textAt(secret, 'type') === 'kubernetes.io/service-account-token' &&
  textAt(secret, 'metadata', 'annotations', accountName) === ''
    ? [required(`metadata.annotations[${accountName}]`)]
    : [];

export const secret: KindRules = {
  fill: fillSecret,
  faults: (object, old) => [
    ...fixed('type')(object, old),
    ...dataFaults(object),
    ...typeFaults(object),
    ...accountFaults(object),
    ...registryFaults(object),
    ...frozenFaults(object, old),
  ],
};

const twiceFaults = (object: Json): readonly Cause[] =>
  Object.keys(jsonAt(object, 'data'))
    .filter((key) => Object.hasOwn(jsonAt(object, 'binaryData'), key))
    .map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));

export const configMap: KindRules = {
  faults: (object, old) => [...dataFaults(object), ...twiceFaults(object), ...frozenFaults(object, old)],
};

export const namespace: KindRules = {
  fill: (object) => {
    const metadata = jsonAt(object, 'metadata');
    const name = textAt(metadata, 'name');
    return {
      ...object,
      metadata: { ...metadata, labels: { ...jsonAt(metadata, 'labels'), 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'], ...jsonAt(object, 'spec') },
      status: { phase: 'Active', ...jsonAt(object, 'status') },
    };
  },
};
