import type { Sign } from '../model/state.ts';

/** The path of each icon, in a square of 14. */
const signPaths: Readonly<Record<Sign, string>> = {
  ring: 'M7 2.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 1 0 0-9.6',
  hourglass: 'M3.6 2h6.8M3.6 12h6.8M4.4 2c0 3 5.2 3.6 5.2 5.6S9.6 10 9.6 12M9.6 2c0 3-5.2 3.6-5.2 5.6S4.4 10 4.4 12',
  arrow: 'M4.2 2.6v8.8L11 7z',
  check: 'M2.4 7.4l3 3 6.2-6.6',
  cross: 'M3.2 3.2l7.6 7.6M10.8 3.2l-7.6 7.6',
  slash: 'M7 2.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 1 0 0-9.6M3.7 10.3l6.6-6.6',
  question: 'M4.6 5a2.4 2.4 0 1 1 3.6 2.1C7.3 7.6 7 8 7 8.8M7 11.4v.2',
  bang: 'M7 2.4v5.8M7 11.4v.2',
  pencil: 'M2.4 11.6l.6-2.6 6.6-6.6 2 2L5 11z',
};

/** The stroke of an icon. */
export const strokeOf = (sign: Sign): Readonly<Record<string, string | number>> => ({
  d: signPaths[sign],
  fill: sign === 'arrow' ? 'currentColor' : 'none',
  stroke: 'currentColor',
  'stroke-width': 1.8,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
});
