import colours from 'picocolors';
import type { Io } from '../io.ts';
import type { Cell } from './table.ts';

type Paint = (text: string) => string;

/** Colours only help: the word says the same. */
function hasColours({ env, out }: Pick<Io, 'env' | 'out'>): boolean {
  return out.isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** Writes states in their colours, where there are colours. */
export function statePainter(io: Pick<Io, 'env' | 'out'>): (state: string | undefined) => Cell {
  const { green, yellow, red, dim, magenta } = colours.createColors(hasColours(io));
  const paints: Readonly<Record<string, Paint>> = {
    ready: green,
    Succeeded: green,
    pending: yellow,
    Pending: yellow,
    Running: yellow,
    WaitingForCI: yellow,
    failed: red,
    Failed: red,
    draft: dim,
    Cancelled: dim,
    deleting: magenta,
  };
  return (state = '') => {
    const paint = Object.hasOwn(paints, state) ? paints[state] : undefined;
    return paint === undefined ? state : { text: state, paint };
  };
}
