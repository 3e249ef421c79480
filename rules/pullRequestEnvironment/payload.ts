import type { HostEvent } from './facts.ts';

interface Branch {
  readonly ref?: unknown;
  readonly sha?: unknown;
  readonly repo?: { readonly full_name?: unknown } | null;
}

/** The webhook payload of a pull request, in which every field may be missing. */
interface Payload {
  readonly action?: unknown;
  readonly number?: unknown;
  readonly pull_request?: {
    readonly draft?: unknown;
    readonly html_url?: unknown;
    readonly head?: Branch;
    readonly base?: Branch;
  };
  readonly repository?: { readonly full_name?: unknown };
  readonly installation?: { readonly id?: unknown };
}

/** The actions of the Git host that count (GIT-025, GIT-038). */
const events: ReadonlyMap<string, HostEvent['event']> = new Map([
  ['opened', 'opened'],
  ['reopened', 'reopened'],
  ['ready_for_review', 'readyForReview'],
  ['synchronize', 'pushed'],
  ['closed', 'closed'],
]);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const whole = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;

const branchesOf = ({ pull_request: request, repository }: Payload) => ({
  repository: text(repository?.full_name),
  branch: text(request?.head?.ref),
  head: text(request?.head?.sha),
  targetBranch: text(request?.base?.ref),
  headRepository: text(request?.head?.repo?.full_name) || null,
});

/** The pull request in a payload; null for an ignored action, or a payload without a pull request. */
export function pullRequestOf(payload: unknown): HostEvent | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const { action, number: given, pull_request: request, installation } = payload as Payload;
  const event = events.get(text(action));
  const number = whole(given);
  const branches = branchesOf(payload);
  const isWhole = branches.repository !== '' && branches.branch !== '' && branches.targetBranch !== '';
  if (event === undefined || number === null || number < 1 || !isWhole) return null;
  const { draft, html_url: url } = request ?? {};
  return {
    is: 'hostEvent',
    event,
    installation: whole(installation?.id),
    number,
    ...branches,
    draft: draft === true,
    url: text(url),
  };
}
