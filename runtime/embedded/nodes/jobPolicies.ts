import { type Indexes, indexesIn } from './jobIndexes.ts';
import type { FailureRule, Job, Pod } from './shapes.ts';

/** What the failure of a pod means for its Job. */
export type Failure =
  | { readonly is: 'counts' }
  | { readonly is: 'ignored' }
  | { readonly is: 'failsIndex' }
  | { readonly is: 'failsJob'; readonly message: string };

/** The first rule of a Job that a failed pod matches decides. */
export function failureOf({ spec }: Job, pod: Pod): Failure {
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const why = matched(rule, pod);
    if (why === null) continue;
    switch (rule.action) {
      case 'Ignore':
        return { is: 'ignored' };
      case 'FailIndex':
        return { is: 'failsIndex' };
      case 'FailJob':
        return { is: 'failsJob', message: `${why} matching FailJob rule at index ${index}` };
      default:
        return { is: 'counts' };
    }
  }
  return { is: 'counts' };
}

/** In what a pod matches a rule, in words; null where it does not. */
function matched({ onExitCodes, onPodConditions = [] }: FailureRule, pod: Pod): string | null {
  const name = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
  if (onExitCodes) {
    const ended = failedContainers(pod).find((one) => isMeant(onExitCodes, one));
    return ended ? `Container ${ended.name} for pod ${name} failed with exit code ${ended.exitCode}` : null;
  }
  const found = (pod.status?.conditions ?? []).find((one) =>
    onPodConditions.some(({ type, status = 'True' }) => type === one.type && status === one.status),
  );
  return found ? `Pod ${name} has condition ${found.type}` : null;
}

interface FailedContainer {
  readonly name: string;
  readonly exitCode: number;
}

const failedContainers = ({ status }: Pod): readonly FailedContainer[] =>
  [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].flatMap(({ name, state }) =>
    'terminated' in state && state.terminated.exitCode !== 0 ? { name, exitCode: state.terminated.exitCode } : [],
  );

type ExitCodes = NonNullable<FailureRule['onExitCodes']>;

const isMeant = ({ containerName, operator, values = [] }: ExitCodes, { name, exitCode }: FailedContainer): boolean =>
  (containerName ?? name) === name && values.includes(exitCode) === (operator === 'In');

/** Which rule of its success policy a Job fulfils, in words; null for none. */
export function successOf({ spec }: Job, completed: Indexes): string | null {
  const rules = spec?.successPolicy?.rules ?? [];
  const index = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && completed.size >= succeededCount;
    const wanted = indexesIn(succeededIndexes, spec?.completions ?? 0);
    const done = [...wanted].filter((one) => completed.has(one)).length;
    return wanted.size > 0 && (done === wanted.size || (succeededCount !== undefined && done >= succeededCount));
  });
  return index < 0 || completed.size === 0 ? null : `Matched rules at index ${index}`;
}
