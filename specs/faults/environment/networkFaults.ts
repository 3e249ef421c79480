import { Effect, Result } from 'effect';
import type { GitAnswer } from '../../../rules/gitAnswer.ts';
import type { DnsShape } from '../../../runtime/services/dns/names.ts';
import type { ProbeShape } from '../../../runtime/services/dns/probe.ts';
import type { ReceiversShape } from '../../../runtime/services/receivers.ts';
import { SshFailed, type SshShape } from '../../../runtime/services/ssh/ssh.ts';
import type { AroundOthers } from './others.ts';

type NetworkCalls = Pick<AroundOthers, 'git'>;

/** Why a request that a fault answered was in vain. */
const whyOf = (answer: Exclude<GitAnswer<unknown>, { readonly is: 'found' }>): string =>
  answer.is === 'silent' ? answer.why : answer.is === 'refused' ? answer.status : 'too many requests';

/** What is reached over the network fails in the ways of the Git host, and says so in words of its own. */
const asGitAnswer = <A>(
  { git: around }: NetworkCalls,
  { text, run, failed }: { readonly text: string; readonly run: Effect.Effect<A>; readonly failed: (why: string) => A },
): Effect.Effect<A> =>
  Effect.map(
    around(
      text,
      Effect.map(run, (value): GitAnswer<A> => ({ is: 'found', value })),
    ),
    (answer) => (answer.is === 'found' ? answer.value : failed(whyOf(answer))),
  );

export const aroundDns = (dns: DnsShape, around: NetworkCalls): DnsShape => ({
  resolve: (host) =>
    asGitAnswer(around, { text: `resolves ${host}`, run: dns.resolve(host), failed: (why) => ({ is: 'failed', why }) }),
});

export const aroundProbe = (probe: ProbeShape, around: NetworkCalls): ProbeShape => ({
  ask: (host) =>
    asGitAnswer(around, { text: `probes ${host}`, run: probe.ask(host), failed: (why) => ({ is: 'silent', why }) }),
});

export const aroundReceivers = (receivers: ReceiversShape, around: NetworkCalls): ReceiversShape => ({
  post: (request) =>
    asGitAnswer(around, {
      text: `posts to ${request.url}`,
      run: receivers.post(request),
      failed: (why) => ({ is: 'networkError', why }),
    }),
});

export const aroundSsh = (ssh: SshShape, around: NetworkCalls): SshShape => ({
  run: (asked) =>
    Effect.flatMap(
      asGitAnswer<Result.Result<void, SshFailed>>(around, {
        text: `runs a command on ${asked.host}`,
        run: Effect.result(ssh.run(asked)),
        failed: (why) => Result.fail(new SshFailed({ message: why })),
      }),
      (result) => Effect.fromResult(result),
    ),
});
