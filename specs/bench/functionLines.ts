import { functionFigures } from './functions.ts';
import { type Line, times } from './line.ts';

/** Each runtime beside the same handler in a bare server. */
export async function functions(): Promise<readonly Line[]> {
  return (await functionFigures()).map(({ runtime, ratio, oursMs }) => ({
    what: `a function's answer on ${runtime}, against the same handler in a bare server`,
    figure: `${times(ratio)} (${oursMs.toFixed(2)} ms)`,
    budget: '≤ 1.3 ×',
    holds: ratio <= 1.3,
  }));
}
