// npm run real [-- [--required] [--record] [scenario…]]: scenarios on a real Kubernetes. specs/cluster/README.md describes them.
import { parseArgs } from 'node:util';
import { type Cluster, clusterOf, startCluster } from './fixtures/cluster.ts';
import { seconds } from './core.ts';
import { commit, writeRecord } from './record.ts';
import { type Outcome, runSteps, summaryOf } from './runner.ts';
import { follows, stayed } from './scenarios/availability.ts';
import { build } from './scenarios/build.ts';
import { databases, databasesLater } from './scenarios/databases/all.ts';
import { beforeOperator } from './scenarios/databases/operator.ts';
import { idle } from './scenarios/idle.ts';
import { install } from './scenarios/install.ts';
import { crashed, crashes, givenUp, services, steady, upgrade } from './scenarios/services.ts';
import { scenarioNames } from './step.ts';
import { noCluster } from './tools.ts';

const startedAt = Date.now();
const printed: string[] = [];
const print = (line: string) => {
  printed.push(line);
  process.stdout.write(`${line}\n`);
};

const { values, positionals } = parseArgs({
  options: {
    required: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '15' },
  },
  allowPositionals: true,
});
/** The cluster takes some seconds to end. */
const endMs = 20_000;
const endsAt = startedAt + Number(values.minutes) * 60_000 - endMs;
const unknown = positionals.filter((name) => !scenarioNames.some((one) => one === name));
if (unknown.length > 0) {
  process.stderr.write(`no scenario ${unknown.join(', ')}; there are ${scenarioNames.join(', ')}\n`);
  process.exit(2);
}
const kubeconfig = process.env['CORE_CLUSTER_KUBECONFIG'];
const reason = kubeconfig === undefined ? noCluster() : null;
if (reason !== null) {
  print(`skipped: ${reason}`);
  print('0 passed, 0 failed, 1 skipped');
  process.exit(0);
}

/** The stages between two databases fill their waits: for an operator, and until a moment can be restored. */
const stages = [
  [install, follows, beforeOperator, idle, services, build],
  [databases, steady, upgrade, databasesLater],
  [crashes, crashed, givenUp, stayed],
].flat();

const of = values.record ? commit() : '';
let starting: Promise<Cluster> | null = null;
let isEnding = false;
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  // A start that failed has ended what it began.
  const cluster = await starting?.catch(() => null);
  await cluster?.end();
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)));

let outcomes: readonly Outcome[] = [];
try {
  starting = kubeconfig === undefined ? startCluster() : Promise.resolve(clusterOf(kubeconfig));
  const cluster = await starting;
  print(`a cluster of one node is Ready after ${seconds(Date.now() - startedAt)}`);
  const steps = stages
    .flatMap((make) => make(cluster))
    .filter(({ scenario }) => positionals.length === 0 || scenario === 'install' || positionals.includes(scenario))
    .filter(({ optional }) => !values.required || optional === undefined);
  outcomes = await runSteps(steps, { endsAt, print });
} catch (failed) {
  if (!isEnding) print(`failed: ${failed instanceof Error ? failed.message : String(failed)}`);
} finally {
  await end();
}
print(`${seconds(Date.now() - startedAt)} altogether`);
print(outcomes.length === 0 ? '0 passed, 1 failed' : summaryOf(outcomes));
if (values.record) writeRecord(of, printed);
process.exitCode = outcomes.length > 0 && outcomes.every(({ came }) => came !== 'failed') ? 0 : 1;
