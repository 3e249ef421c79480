import { type Line, times } from '../line.ts';
import { attentionFigures } from './attention.ts';
import { listFigures } from './lists.ts';

const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const ratioOf = ([few = 0, many = 0]: readonly number[]) => many / few;

/** What lists of services cost, by the time of the processor. */
export async function listLines(): Promise<readonly Line[]> {
  const { pageMs, readMs, large, attentionMs, delayMs } = await listFigures();
  const { changeUs } = attentionFigures();
  const [attention, change] = [ratioOf(attentionMs), ratioOf(changeUs)];
  const [page, one] = [ratioOf(pageMs), ratioOf(readMs)];
  return [
    {
      what: 'GET /apps?limit=100 of 3,000 services, against 300',
      figure: `${times(page)} (${pageMs.map(ms).join(', ')})`,
      budget: '≤ 1.2 ×',
      holds: page <= 1.2,
    },
    {
      what: 'GET /apps/{app} among 3,000 services, against 300',
      figure: `${times(one)} (${readMs.map(ms).join(', ')})`,
      budget: '≤ 1.2 ×',
      holds: one <= 1.2,
    },
    {
      what: 'of 10,000 services: the first whole list and a later one',
      figure: `${ms(large.firstMs)}, ${ms(large.wholeMs)}`,
      budget: 'a later one ≤ 60 ms',
      holds: large.wholeMs <= 60,
    },
    {
      what: 'of 10,000 services: a page of 100, a search, GET /machines',
      figure: `${ms(large.pageMs)}, ${ms(large.searchMs)}, ${ms(large.machinesMs)}`,
      budget: 'a search ≤ 30 ms',
      holds: large.searchMs <= 30,
    },
    {
      what: 'of 5,000 services, 500 with a cause: GET /attention against GET /apps',
      figure: `${times(attention)} (${attentionMs.map(ms).join(', ')})`,
      budget: '≤ 0.1 ×',
      holds: attention <= 0.1,
    },
    {
      what: 'one change of a cause among 5,000 objects, against 50',
      figure: `${times(change)} (${changeUs.map((us) => `${us.toFixed(1)} µs`).join(', ')})`,
      budget: '≤ 1.5 ×',
      holds: change <= 1.5,
    },
    {
      what: 'one of 3,000 services read 200 times a second: delay of the loop, p99',
      figure: ms(delayMs),
      budget: '≤ 50 ms',
      holds: delayMs <= 50,
    },
  ];
}
