import type { Message } from '../words.ts';
import type { PullRequestFacts } from './facts.ts';
import { pullRequestNote } from './note.ts';

type OfProject = Pick<
  PullRequestFacts,
  'project' | 'enabled' | 'link' | 'baseServices' | 'maxOpen' | 'open' | 'environments'
>;

/** The preconditions that depend on the project alone, whatever the pull request. */
const ofProject: readonly string[] = ['ProjectUnlinked', 'Unsubscribed', 'LimitReached'];

const anyPullRequest = {
  now: 0,
  asked: null,
  event: 'opened',
  throughApplication: true,
  number: 0,
  repository: '',
  targetBranch: '',
  headRepository: '',
  draft: false,
  copied: false,
  removed: false,
} as const;

/** Why no further pull request of a project gets an environment; null when one may, or none is wanted. */
export function standingRefusal(project: OfProject): Message | null {
  if (!project.enabled) return null;
  const facts = { ...anyPullRequest, ...project };
  const row = pullRequestNote.find(({ reason, when }) => ofProject.includes(reason) && when(facts));
  return row?.message(facts) ?? null;
}
