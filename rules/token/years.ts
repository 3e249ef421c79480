import { isoTime, msOf } from '../time.ts';

const lastTime = 8.64e15;

/**
 * The same moment the given number of calendar years later, in UTC; 1 March when that year has no 29 February. NaN
 * after 9999.
 */
export function yearsAfter(ms: number, years: number): number {
  const time = Math.abs(ms) <= lastTime ? isoTime(ms) : '';
  const [, year = '', rest = ''] = /^(\d{4})(-.*)$/.exec(time) ?? [];
  const later = Number(year) + years;
  const isLeap = later % 4 === 0 && (later % 100 !== 0 || later % 400 === 0);
  return msOf(`${later}${isLeap ? rest : rest.replace('-02-29', '-03-01')}`);
}
