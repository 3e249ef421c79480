import { Refusal } from './answer.ts';

/** One page of a list with the Link header of its neighbours. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly headers: Readonly<Record<string, string>>;
}

const usual = 30;
const most = 100;

/** The page that `per_page` and `page` of an address select. */
export function pageOf<T>(all: readonly T[], url: URL): Page<T> {
  const size = Math.min(count(url, 'per_page', usual), most);
  const page = count(url, 'page', 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (to: number, rel: string) => {
    const target = new URL(url);
    target.searchParams.set('per_page', String(size));
    target.searchParams.set('page', String(to));
    return `<${target.href}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev'), link(1, 'first')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
  ];
  return {
    items: all.slice((page - 1) * size, page * size),
    headers: links.length === 0 ? {} : { link: links.join(', ') },
  };
}

function count(url: URL, parameter: string, absent: number): number {
  const text = url.searchParams.get(parameter);
  if (text === null || text === '') return absent;
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(422, `${parameter} must be a number`);
  return Math.max(1, Number(text));
}
