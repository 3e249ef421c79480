// npm run real [-- [--required] [scenario…]]: scenarios on a real Kubernetes. specs/cluster/README.md describes them.
import { parseArgs } from 'node:util';
import { type Cluster, clusterOf, startCluster } from './ground/cluster.ts';
import { seconds } from './core.ts';
import { type Outcome, runSteps, summaryOf } from './runner.ts';
import { idle } from './scenarios/idle.ts';
import { install } from './scenarios/install.ts';
import { scenarioNames } from './step.ts';
import { noCluster } from './tools.ts';

const allMs = 15 * 60_000;
const startedAt = Date.now();
const print = (line: string) => void process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  options: { required: { type: 'boolean', default: false } },
  allowPositionals: true,
});
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

let cluster: Cluster | null = null;
let isEnding = false;
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await cluster?.end();
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)));

let outcomes: readonly Outcome[] = [];
try {
  cluster = kubeconfig === undefined ? await startCluster() : clusterOf(kubeconfig);
  print(`a cluster of one node is Ready after ${seconds(Date.now() - startedAt)}`);
  const made = cluster;
  const steps = [install, idle]
    .flatMap((make) => make(made))
    .filter(({ scenario }) => positionals.length === 0 || scenario === 'install' || positionals.includes(scenario))
    .filter(({ optional }) => !values.required || optional === undefined);
  outcomes = await runSteps(steps, { endsAt: startedAt + allMs, print });
} catch (failed) {
  if (!isEnding) print(`failed: ${failed instanceof Error ? failed.message : String(failed)}`);
} finally {
  await end();
}
print(`${seconds(Date.now() - startedAt)} altogether`);
print(outcomes.length === 0 ? '0 passed, 1 failed' : summaryOf(outcomes));
process.exitCode = outcomes.length > 0 && outcomes.every(({ came }) => came !== 'failed') ? 0 : 1;
