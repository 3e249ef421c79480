import { pageNames } from '../dashboard/model/pageNames.ts';

/** Names of ours at other ports, and of what is no API of ours: a program that asks here has to be told so. */
const ofPrograms = new Set(['graphql', 'health', 'healthz', 'livez', 'mcp', 'metrics', 'readyz', 'sse', 'v1', 'v2']);

/** What an address without a file has: the dashboard's page, the same for a browser that finds nothing, or nothing. */
export type PageAnswer = 'page' | 'page of nothing' | 'nothing';

const isHidden = (path: string): boolean => /\/(\.|%2e)/i.test(path);
const isFile = (path: string): boolean => /\.[^/]*$/.test(path) || path.startsWith('/assets/');

/** The response at a path; a browser that opens a page accepts HTML. */
export function pageAnswer(path: string, accept = ''): PageAnswer {
  const [, first = ''] = path.split('/');
  if (isHidden(path)) return 'nothing';
  if (path === '/' || pageNames.includes(first)) return 'page';
  const isOpened = accept.includes('text/html') && !isFile(path) && !ofPrograms.has(first.toLowerCase());
  return isOpened ? 'page of nothing' : 'nothing';
}
