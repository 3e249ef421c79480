import { type Static, Type } from '@sinclair/typebox';
import { Refusal } from '../answer.ts';
import type { CheckRunChange, CheckRuns, StoredCheckRun } from '../checkRuns.ts';
import { fullName, type RepositoryName } from '../names.ts';
import { pageOf } from '../page.ts';
import type { Repositories } from '../repositories.ts';
import type { Call, Route } from '../route.ts';
import { parsed } from './parsed.ts';
import { type Bases, commitAt, existing } from './repositories.ts';

const choice = <T extends string>(values: readonly T[]) => Type.Union(values.map((value) => Type.Literal(value)));

const change = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1 })),
  status: Type.Optional(choice(['queued', 'in_progress', 'completed', 'waiting', 'requested', 'pending'])),
  conclusion: Type.Optional(
    Type.Union([
      choice(['success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out', 'action_required', 'stale']),
      Type.Null(),
    ]),
  ),
});
const begun = Type.Composite([
  change,
  Type.Object({ name: Type.String({ minLength: 1 }), head_sha: Type.String({ minLength: 1 }) }),
]);

/** The check runs of commits: read by the platform, written by testers or a stand-in for CI. */
export function checkRunRoutes(repositories: Repositories, checkRuns: CheckRuns, bases: () => Bases): readonly Route[] {
  const shown = (repository: RepositoryName, run: StoredCheckRun) => checkRunJson(bases(), repository, run);
  return [
    {
      method: 'GET',
      path: '/api/repos/:owner/:repo/commits/:ref/check-runs',
      access: 'token',
      run: async (call) => {
        const repository = await existing(repositories, call);
        const sha = await commitAt(repositories, repository, call.part('ref'));
        const all = checkRuns.of(repository, sha, filterOf(call)).filter((run) => isAskedFor(run, call.url));
        const { items, headers } = pageOf(all, call.url);
        const check_runs = items.map((run) => shown(repository, run));
        return { status: 200, body: { total_count: all.length, check_runs }, headers };
      },
    },
    {
      method: 'POST',
      path: '/api/repos/:owner/:repo/check-runs',
      access: 'tokenOrLocal',
      run: async (call) => {
        const repository = await existing(repositories, call);
        const { head_sha, name, ...asked } = parsed(begun, await call.body());
        const sha = await commitAt(repositories, repository, head_sha);
        const run = await checkRuns.put(repository, sha, name, consistent(asked));
        return { status: 201, body: shown(repository, run) };
      },
    },
    {
      method: 'PATCH',
      path: '/api/repos/:owner/:repo/check-runs/:id',
      access: 'tokenOrLocal',
      run: async (call) => {
        const repository = await existing(repositories, call);
        const asked = consistent(parsed(change, await call.body()));
        const run = await checkRuns.change(repository, Number(call.part('id')), asked);
        if (!run) throw new Refusal(404);
        return { status: 200, body: shown(repository, run) };
      },
    },
    {
      method: 'GET',
      path: '/api/repos/:owner/:repo/check-runs/:id',
      access: 'token',
      run: async (call) => {
        const repository = await existing(repositories, call);
        const run = checkRuns.find(repository, Number(call.part('id')));
        if (!run) throw new Refusal(404);
        return { status: 200, body: shown(repository, run) };
      },
    },
  ];
}

function consistent(asked: Static<typeof change>): CheckRunChange {
  if (asked.status === 'completed' && typeof asked.conclusion !== 'string')
    throw new Refusal(422, 'Invalid request. A completed check run needs a conclusion.');
  return asked;
}

function filterOf({ url }: Call): 'latest' | 'all' {
  const filter = url.searchParams.get('filter') ?? 'latest';
  if (filter === 'latest' || filter === 'all') return filter;
  throw new Refusal(422, 'filter must be latest or all');
}

const isAskedFor = (run: StoredCheckRun, { searchParams }: URL) =>
  (searchParams.get('check_name') ?? run.name) === run.name &&
  (searchParams.get('status') ?? run.status) === run.status;

const checkRunJson = ({ apiUrl, cloneUrl }: Bases, repository: RepositoryName, run: StoredCheckRun) => ({
  id: run.id,
  name: run.name,
  head_sha: run.headSha,
  status: run.status,
  conclusion: run.conclusion,
  started_at: run.startedAt,
  completed_at: run.completedAt,
  url: `${apiUrl}/repos/${fullName(repository)}/check-runs/${run.id}`,
  html_url: `${cloneUrl}/${fullName(repository)}/runs/${run.id}`,
  output: { title: null, summary: null, text: null, annotations_count: 0 },
});
