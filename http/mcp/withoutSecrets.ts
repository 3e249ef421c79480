import { isObject } from '../../rules/json.ts';
const secretFields = new Set(['password', 'uri', 'secretData', 'secretAccessKey', 'token', 'secret']);

/** Without the fields in which a kind may hold a secret: an agent has no use for one, and would repeat it. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !secretFields.has(name))
      .map(([name, one]) => [name, withoutSecrets(one)]),
  );
}
