import { annotation } from '../../crds/names.ts';
import type { KindHealth } from '../../rules/health/kinds.ts';

/** The expressions with which Flux reads the health of objects of a kind. */
export interface HealthExpressions {
  readonly current: string;
  readonly inProgress: string;
  readonly failed: string;
}

const any = (conditions: readonly string[]): string => {
  const given = conditions.filter((condition) => condition !== '');
  return given.length === 0 ? 'false' : given.map((one) => `(${one})`).join(' || ');
};

const isOneOf = (phases: readonly string[]): string =>
  phases.length === 0
    ? ''
    : `(has(status.phase) ? status.phase : '') in [${phases.map((phase) => `'${phase}'`).join(', ')}]`;

const deleting = 'has(metadata.deletionTimestamp)';
const paused =
  `has(metadata.annotations) && '${annotation.paused}' in metadata.annotations && ` +
  `metadata.annotations['${annotation.paused}'] == 'true'`;
const decided =
  'has(status.observedGeneration) && ' +
  '(!has(metadata.generation) || status.observedGeneration >= metadata.generation)';
const gaveUp = 'has(status.reconcileRetry) && has(status.reconcileRetry.gaveUp) && status.reconcileRetry.gaveUp';
const done = {
  ready: "has(status.conditions) && status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
  current: 'true',
  moving: '',
} as const;

/**
 * Each holds where no other does. Flux has no word for what rests until somebody asks for it: such an object is current,
 * because nothing is to be waited for.
 */
export function celOf({
  suspended = [],
  failed = [],
  failedRuns = [],
  current = [],
  otherwise,
}: KindHealth): HealthExpressions {
  const runFailed =
    failedRuns.length === 0 ? '' : `${isOneOf(failedRuns)} && has(status.logRef) && status.logRef != ''`;
  const rests = any([isOneOf(suspended)]);
  const fails = any([gaveUp, isOneOf(failed), runFailed]);
  const isDone = any([isOneOf(current), done[otherwise]]);
  const moves = `!(${decided}) || !(${any([rests, fails, isDone])})`;
  return {
    current: `!${deleting} && ((${paused}) || ((${decided}) && ((${rests}) || (!(${fails}) && (${isDone})))))`,
    inProgress: `${deleting} || (!(${paused}) && (${moves}))`,
    failed: `!${deleting} && !(${paused}) && (${decided}) && !(${rests}) && (${fails})`,
  };
}
