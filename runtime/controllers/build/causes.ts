import type { CoreBuild } from '../../../crds/coreBuild.ts';
import { annotation, systemNamespace } from '../../../crds/names.ts';
import type { BuildState } from '../../../machines/names.ts';
import { podsOfJob } from '../../../rules/build/blockers.ts';
import { jobName } from '../../../rules/build/build.ts';
import { causesOfBuildIn } from '../../../rules/build/causes.ts';
import type { BuilderSettings } from '../../../rules/build/job.ts';
import { repositoryName } from '../../../rules/build/repository.ts';
import { endOfRun } from '../../../rules/build/runCauses.ts';
import { type Findings, noFindings } from '../../../rules/cause/record.ts';
import { conditionOf } from '../../../rules/condition.ts';
import { answered } from '../../../rules/fact.ts';
import { jobOutcome } from '../../../rules/jobOutcome.ts';
import { msOf } from '../../../rules/time.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Deriving } from '../../contract/controller.ts';
import { connections } from '../../services/cluster/kinds.ts';
import { jobs, secrets } from '../../services/cluster/resources.ts';
import { secretText } from '../../services/secretText.ts';
import { causesOf } from '../../step/derive.ts';
import { refOf } from '../causes.ts';
import { observe, runSeen } from './observe.ts';

/** Why a build failed or is not done yet, as the rules and the caches of one pass know it. */
export function causesIn(
  build: CoreBuild,
  state: BuildState,
  { reader, now, asked }: Deriving,
  { gitUrl, isGitEmbedded = false, gitImage, builderImage }: BuilderSettings,
): Findings {
  if (state === 'Succeeded') return noFindings;
  const { spec, status = {} } = build;
  const input = { now: msOf(now), monotonic: 0, resetFrom: null, others: {}, failure: null };
  const facts = answered(observe(build, reader, input, gitUrl), asked);
  const self = refOf({ ...build, kind: 'CoreBuild' });
  const run = runSeen(build, reader);
  const ready = conditionOf(reader.get(connections, facts.connectionRef), 'Ready');
  const repository = repositoryName(spec.repository ?? '', gitUrl);
  const found = causesOfBuildIn({
    state,
    self,
    facts,
    repository: repository ?? spec.repository ?? '',
    isAtEmbeddedHost: repository !== null && isGitEmbedded,
    connectionReady: ready ?? null,
    job: { kind: 'Job', name: jobName(build.metadata.name), namespace: systemNamespace },
    jobFailure: jobFailureOf(build, reader),
    failedPods: status.retryCount ?? 0,
    end: () => (run === null ? null : endOfRun(podsOfJob(run), () => secretsOf(build, reader))),
    imageOf: (container) => (container === 'git' ? gitImage : builderImage),
    failureReason: status.failureReason ?? '',
    recorded: causesOf(build),
  });
  return { found, gaveUp: false };
}

/** Why the Job of the run failed; empty when it did not, or is gone. */
function jobFailureOf({ metadata, status }: CoreBuild, reader: CacheReader): string {
  const job = reader.get(jobs, jobName(metadata.name));
  const isOwn = job?.metadata.annotations?.[annotation.run] === status?.startedAt;
  const outcome = job && isOwn ? jobOutcome(job) : null;
  return outcome?.is === 'failed' ? outcome.reason || 'the Job failed' : '';
}

/** The values of the Secrets that the Job reads, which no line of its log may show. */
function secretsOf({ spec }: CoreBuild, reader: CacheReader): readonly string[] {
  const token = secretText(reader.get(secrets, spec.gitCredentialRef?.name ?? ''), 'token');
  const registry = secretText(reader.get(secrets, spec.credentialRef?.name ?? ''), '.registryconfigjson');
  const inRegistry = [...registry.matchAll(/"(?:auth|password|identitytoken|registrytoken)"\s*:\s*"([^"]*)"/g)];
  const values = inRegistry.map(([, value = '']) => value);
  const decoded = values.map((value) => Buffer.from(value, 'base64').toString().split(':').slice(1).join(':'));
  return [token, ...values, ...decoded].filter((value) => value !== '');
}
