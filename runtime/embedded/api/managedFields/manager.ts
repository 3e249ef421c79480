import type { Call } from '../call.ts';
import { type ResourceType, groupVersion } from '../kinds/type.ts';
import { type Cause, invalid } from '../status.ts';
import type { Entry, Manager, Operation } from './entries.ts';

const longestName = 128;
const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];

/** The manager that a request writes for: named by itself, else by its program. */
export function managerOf(call: Call, operation: Operation): Manager {
  const { query, request, type, subresource } = call;
  const named = query.get('fieldManager') ?? '';
  const name = named === '' ? programOf(request.headers['user-agent'] ?? '') : named;
  return {
    name: name === '' ? 'unknown' : name,
    operation,
    apiVersion: groupVersion(type),
    subresource: subresource ?? '',
  };
}

/** What of a User-Agent stands before its version. */
const programOf = (agent: string) =>
  (/^[^/"']*/.exec(agent)?.[0] ?? '').replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '').slice(0, longestName);

const optionsOf = { POST: 'CreateOptions', PUT: 'UpdateOptions', PATCH: 'PatchOptions' } as const;

/** The one dry run there is goes through all stages. */
export const dryRunFaults = (asked: readonly string[]): readonly Cause[] =>
  asked.some((mode) => mode !== 'All' && mode !== '')
    ? [
        fault(
          'dryRun',
          'FieldValueNotSupported',
          `Unsupported value: ${JSON.stringify(asked)}: supported values: "All"`,
        ),
      ]
    : [];

/** Refuses options of a write that do not hold. */
export function checkOptions({ query, request }: Call, isApply: boolean): void {
  const name = query.get('fieldManager') ?? '';
  const causes: readonly Cause[] = [
    ...(isApply && name === ''
      ? [fault('fieldManager', 'FieldValueRequired', 'Required value: is required for apply patch')]
      : []),
    ...(!isApply && query.get('force') !== null && request.method === 'PATCH'
      ? [fault('force', 'FieldValueForbidden', 'Forbidden: may not be specified for non-apply patch')]
      : []),
    ...(name.length > longestName
      ? [fault('fieldManager', 'FieldValueTooLong', `Too long: may not be more than ${longestName} bytes`)]
      : []),
    ...unprintable(name),
    ...dryRunFaults(query.getAll('dryRun')),
    ...(fieldValidations.includes(query.get('fieldValidation') ?? '')
      ? []
      : [
          fault(
            'fieldValidation',
            'FieldValueNotSupported',
            `Unsupported value: ${JSON.stringify(query.get('fieldValidation'))}: supported values: ${fieldValidations.map((one) => JSON.stringify(one)).join(', ')}`,
          ),
        ]),
  ];
  if (causes.length === 0) return;
  const { method } = request;
  const options = method === 'POST' || method === 'PUT' || method === 'PATCH' ? optionsOf[method] : 'PatchOptions';
  throw invalid('meta.k8s.io', options, '', causes);
}

/** The characters of a name that nobody could read. */
const unprintable = (name: string): readonly Cause[] =>
  Array.from(name).flatMap((character, position) => {
    if (/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) return [];
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0').toUpperCase();
    const why = `invalid character U+${code} (at position ${position})`;
    return [fault('fieldManager', 'FieldValueInvalid', `Invalid value: ${goQuoted(name)}: ${why}`)];
  });

const goQuoted = (text: string) =>
  JSON.stringify(text).replace(/\\u00([01][0-9a-f])/g, (_, code: string) => `\\x${code}`);

const fault = (field: string, reason: Cause['reason'], message: string): Cause => ({ field, reason, message });

/** The entries of versions that are still served. */
export const servedEntries = ({ registry, type }: Call, entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ apiVersion }) => isServed(registry, type, apiVersion));

function isServed(registry: Call['registry'], type: ResourceType, apiVersion: string): boolean {
  if (apiVersion === groupVersion(type)) return true;
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return registry.find(group, apiVersion.slice(slash + 1), type.plural)?.bucket === type.bucket;
}
