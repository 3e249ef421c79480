import { started } from '../../started.ts';
import { clientOf } from './client.ts';
import { expectedOf, record } from './expected.ts';
import { differing, leave } from './left.ts';
import { declare, play, undeclare } from './play.ts';
import type { Answer } from './scene.ts';
import { scenes } from './scenes/all.ts';

/** Writes down what the API server of a kubeconfig answers to the scenes, or to those of the files that are named. */
async function recordFrom(kubeconfig: string, names: readonly string[]): Promise<void> {
  const client = await clientOf(kubeconfig);
  await declare(client);
  for (const [name, of] of Object.entries(scenes).filter(([one]) => names.length === 0 || names.includes(one))) {
    const answers: Record<string, readonly Answer[]> = {};
    for (const scene of of) answers[scene.title] = await play(client, scene);
    record(name, answers);
    process.stdout.write(`${name}: ${of.length} scenes\n`);
  }
  await undeclare(client);
  client.end();
}

/** Writes down where the embedded API answers otherwise. */
async function leaveDifferences(): Promise<void> {
  const api = await started();
  const client = await clientOf(api.kubeconfigPath);
  await declare(client);
  const left: Record<string, readonly number[]> = {};
  for (const [name, of] of Object.entries(scenes))
    for (const scene of of) {
      const steps = differing(await play(client, scene), expectedOf(name)[scene.title] ?? []);
      if (steps.length > 0) left[`${name}: ${scene.title}`] = steps;
    }
  leave(left);
  const count = Object.values(left).flat().length;
  process.stdout.write(`${count} answers differ\n`);
  client.end();
  await api.end();
}

const [from, ...names] = process.argv.slice(2);
if (from === undefined) await leaveDifferences();
else await recordFrom(from, names);
