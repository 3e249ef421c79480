import type { Call } from '../call.ts';
import { forbiddenField, notSupported } from '../schema/cause.ts';
import { type Cause, badRequest, invalid } from '../status.ts';

/** Refuses options of a list or a watch that contradict one another; a limit of 0 is none. */
export function checkListOptions({ query }: Call, isWatch: boolean): { readonly limit: number } {
  for (const name of ['limit', 'timeoutSeconds']) {
    const text = query.get(name) ?? '';
    if (!/^([-+]?\d+)?$/.test(text))
      throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const causes = isWatch ? watchFaults(query) : listFaults(query);
  if (causes.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', causes);
  return { limit: Math.max(0, Number(query.get('limit') ?? 0)) };
}

const match = 'resourceVersionMatch';
const withContinue = forbiddenField(match, 'resourceVersionMatch is forbidden when continue is provided');
const given = (query: URLSearchParams, name: string) => (query.get(name) ?? '') !== '';

function listFaults(query: URLSearchParams): readonly Cause[] {
  const asked = query.get(match) ?? '';
  const initial = given(query, 'sendInitialEvents')
    ? [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
    : [];
  if (asked === '') return initial;
  return [
    ...(given(query, 'resourceVersion')
      ? []
      : [forbiddenField(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided')]),
    ...(given(query, 'continue') ? [withContinue] : []),
    ...(asked === 'Exact' || asked === 'NotOlderThan'
      ? []
      : [notSupported(match, asked, ['Exact', 'NotOlderThan', ''])]),
    ...(asked === 'Exact' && query.get('resourceVersion') === '0'
      ? [forbiddenField(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
      : []),
    ...initial,
  ];
}

function watchFaults(query: URLSearchParams): readonly Cause[] {
  const asked = query.get(match) ?? '';
  const initial = given(query, 'sendInitialEvents');
  const isRight = asked === 'NotOlderThan';
  const first =
    initial && !isRight
      ? [forbiddenField(match, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
      : [];
  if (asked === '') return first;
  return [
    ...first,
    ...(initial
      ? []
      : [forbiddenField(match, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]),
    ...(isRight ? [] : [notSupported(match, asked, ['NotOlderThan'])]),
    ...(given(query, 'continue') ? [withContinue] : []),
  ];
}
