import type { PullRequestTold } from './facts.ts';

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
const events: Readonly<Record<string, PullRequestTold['event']>> = {
  opened: 'opened',
  reopened: 'reopened',
  ready_for_review: 'readyForReview',
  synchronize: 'pushed',
  closed: 'closed',
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const whole = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;

/** What a payload tells of a pull request; null for an action that does not count, or no pull request at all. */
export function pullRequestOf(payload: unknown): PullRequestTold | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const { action, number: given, pull_request: request, repository, installation } = payload as Payload;
  const named = text(action);
  const event = Object.hasOwn(events, named) ? events[named] : undefined;
  const number = whole(given);
  const [name, branch, targetBranch] = [
    text(repository?.full_name),
    text(request?.head?.ref),
    text(request?.base?.ref),
  ];
  if (event === undefined || number === null || number < 1 || [name, branch, targetBranch].includes('')) return null;
  return {
    is: 'told',
    event,
    installation: whole(installation?.id),
    number,
    repository: name,
    branch,
    head: text(request?.head?.sha),
    targetBranch,
    headRepository: text(request?.head?.repo?.full_name) || null,
    draft: request?.draft === true,
    url: text(request?.html_url),
  };
}
