import { annotation } from '../../crds/names.ts';
import { healthMessages } from '../../rules/health/health.ts';
import type { KindHealth } from '../../rules/health/kinds.ts';

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const isOneOf = (phases: readonly string[]): string => phases.map((phase) => `phase == ${quoted(phase)}`).join(' or ');

const answer = (status: string, message: string): string => `{ status = "${status}", message = ${message} }`;

const when = (condition: string, status: string, message = 'message'): string =>
  condition === '' ? '' : `if ${condition} then return ${answer(status, message)} end`;

const runFailed = (phases: readonly string[]): string =>
  phases.length === 0 ? '' : `(${isOneOf(phases)}) and (status.logRef or "") ~= ""`;

const done = { ready: 'ready == "True"', current: 'true', moving: '' } as const;

/** The script with which Argo CD reads the health of objects of a kind. */
export function luaOf({ suspended = [], failed = [], failedRuns = [], current = [], otherwise }: KindHealth): string {
  const lines = [
    'local metadata = obj.metadata or {}',
    'local status = obj.status or {}',
    'local phase = status.phase or ""',
    when('metadata.deletionTimestamp ~= nil', 'Progressing', quoted(healthMessages.deleting)),
    when(
      `(metadata.annotations or {})[${quoted(annotation.paused)}] == "true"`,
      'Suspended',
      quoted(healthMessages.paused),
    ),
    when(
      'status.observedGeneration == nil or status.observedGeneration < (metadata.generation or 0)',
      'Progressing',
      quoted(healthMessages.undecided),
    ),
    `local message, ready = phase ~= "" and phase or ${quoted(healthMessages.waiting)}, nil`,
    'for _, condition in ipairs(status.conditions or {}) do',
    '  if condition.type == "Ready" then',
    '    ready = condition.status',
    '    if (condition.message or "") ~= "" then message = condition.message end',
    '  end',
    'end',
    when(isOneOf(suspended), 'Suspended'),
    when('(status.reconcileRetry or {}).gaveUp == true', 'Degraded'),
    when(isOneOf(failed), 'Degraded'),
    when(runFailed(failedRuns), 'Degraded'),
    when(isOneOf(current), 'Healthy'),
    when(done[otherwise], 'Healthy'),
    `return ${answer('Progressing', 'message')}`,
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}
