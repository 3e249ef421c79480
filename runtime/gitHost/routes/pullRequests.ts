import { type Static, Type } from '@sinclair/typebox';
import { Refusal } from '../answer.ts';
import { mergeInto } from '../merge.ts';
import { fullName, repositoryName, type RepositoryName } from '../names.ts';
import { pageOf } from '../page.ts';
import type { PullRequestAction, PullRequestDesk } from '../pullRequestEvents.ts';
import type { PullRequests, StoredPullRequest } from '../pullRequests.ts';
import type { Pushes } from '../pushes.ts';
import type { Repositories } from '../repositories.ts';
import type { Call, Route } from '../route.ts';
import { parsed } from './parsed.ts';
import { existing } from './repositories.ts';

const asked = Type.Object({
  title: Type.String({ minLength: 1 }),
  head: Type.String({ minLength: 1, description: '`branch`, or `owner:branch` for a fork.' }),
  head_repo: Type.Optional(Type.String({ description: 'The name of the fork, where it is not that of the target.' })),
  base: Type.String({ minLength: 1 }),
  draft: Type.Optional(Type.Boolean()),
});
const changed = Type.Object({
  title: Type.Optional(Type.String({ minLength: 1 })),
  state: Type.Optional(Type.Union([Type.Literal('open'), Type.Literal('closed')])),
  draft: Type.Optional(Type.Boolean()),
});

interface PullRequestContext {
  readonly repositories: Repositories;
  readonly pullRequests: PullRequests;
  readonly desk: PullRequestDesk;
  readonly pushes: Pushes;
}

/** The pull requests of repositories: read by the platform, opened, changed and merged by people on this machine. */
export function pullRequestRoutes({ repositories, pullRequests, desk, pushes }: PullRequestContext): readonly Route[] {
  const found = async (call: Call) => {
    const base = await existing(repositories, call);
    const one = pullRequests.find(base, Number(call.part('number')));
    if (one === undefined) throw new Refusal(404);
    return { base, one };
  };

  const opened = async (call: Call) => {
    const base = await existing(repositories, call);
    const given = parsed(asked, await call.body());
    const ends = await endsOf(repositories, base, given);
    const twin = pullRequests
      .touching('head', ends.from, ends.head.branch)
      .find((one) => one.base.repository === fullName(base) && one.base.branch === given.base);
    if (twin) throw new Refusal(422, `A pull request already exists for ${ends.head.repository}:${ends.head.branch}.`);
    const { head, base: target } = ends;
    const one = await pullRequests.open(base, { title: given.title, draft: given.draft ?? false, head, base: target });
    await desk.emit(base, one, { action: 'opened' });
    return { status: 201, body: await desk.shown(base, one) };
  };

  const change = async (call: Call) => {
    const { base, one } = await found(call);
    const given = parsed(changed, await call.body());
    if (one.mergedAt !== null && given.state === 'open') throw new Refusal(422, 'a merged pull request stays closed');
    const next = await pullRequests.change(base, one.number, given);
    for (const action of actionsOf(one, next)) await desk.emit(base, next, { action });
    return { status: 200, body: await desk.shown(base, next) };
  };

  /** Reports a merge as a push to the target. */
  const pushed = async <A>(base: RepositoryName, work: () => Promise<A>): Promise<A> => {
    await pushes.begin(base);
    try {
      return await work();
    } finally {
      await pushes.end(base, 'whole');
    }
  };

  const merge = async (call: Call) => {
    const { base, one } = await found(call);
    if (one.state !== 'open' || one.draft) throw new Refusal(405, 'Pull Request is not mergeable');
    const sha = await pushed(base, () => mergeInto(repositories, base, one));
    if (sha === null) throw new Refusal(405, 'Pull Request is not mergeable');
    return { status: 200, body: { sha, merged: true, message: 'Pull Request successfully merged' } };
  };

  return [
    {
      method: 'GET',
      path: '/api/repos/:owner/:repo/pulls',
      access: 'token',
      run: async (call) => {
        const base = await existing(repositories, call);
        const { items, headers } = pageOf(pullRequests.of(base).filter(isListed(call.url)), call.url);
        const body = await Promise.all(items.map((one) => desk.shown(base, one)));
        return { status: 200, body, headers };
      },
    },
    { method: 'POST', path: '/api/repos/:owner/:repo/pulls', access: 'tokenOrLocal', run: opened },
    {
      method: 'GET',
      path: '/api/repos/:owner/:repo/pulls/:number',
      access: 'token',
      run: async (call) => {
        const { base, one } = await found(call);
        return { status: 200, body: await desk.shown(base, one) };
      },
    },
    { method: 'PATCH', path: '/api/repos/:owner/:repo/pulls/:number', access: 'tokenOrLocal', run: change },
    { method: 'PUT', path: '/api/repos/:owner/:repo/pulls/:number/merge', access: 'tokenOrLocal', run: merge },
  ];
}

/** The events of a change, in the order in which it is made. */
function actionsOf(before: StoredPullRequest, after: StoredPullRequest): readonly PullRequestAction[] {
  return [
    ...(before.title === after.title ? [] : ['edited' as const]),
    ...(before.state === after.state ? [] : [after.state === 'open' ? ('reopened' as const) : ('closed' as const)]),
    ...(before.draft === after.draft
      ? []
      : [after.draft ? ('converted_to_draft' as const) : ('ready_for_review' as const)]),
  ];
}

const isListed =
  ({ searchParams }: URL) =>
  ({ state, base }: StoredPullRequest) => {
    const wanted = searchParams.get('state') ?? 'open';
    return (wanted === 'all' || wanted === state) && (searchParams.get('base') ?? base.branch) === base.branch;
  };

/** Both ends of a new pull request; refused when one of them is not a branch. */
async function endsOf(
  repositories: Repositories,
  base: RepositoryName,
  { head, head_repo: fork, base: target }: Static<typeof asked>,
) {
  const colon = head.indexOf(':');
  const owner = colon < 0 ? base.owner : head.slice(0, colon);
  const from = repositoryName(owner, fork ?? base.name);
  if (from === null || !(await repositories.exists(from))) throw invalid('head');
  const branch = head.slice(colon + 1);
  return {
    from,
    head: { repository: fullName(from), branch, sha: await tipOf(repositories, from, { branch, field: 'head' }) },
    base: {
      repository: fullName(base),
      branch: target,
      sha: await tipOf(repositories, base, { branch: target, field: 'base' }),
    },
  };
}

const invalid = (field: string) => new Refusal(422, `Validation Failed: ${field} is invalid`);

async function tipOf(
  repositories: Repositories,
  repository: RepositoryName,
  { branch, field }: { readonly branch: string; readonly field: string },
): Promise<string> {
  const sha = (await repositories.refs(repository)).get(`refs/heads/${branch}`);
  if (sha === undefined) throw invalid(field);
  return sha;
}
