// Plays the pages against any cluster and tells what came otherwise: `npm run kubectl -- --kubeconfig FILE [--only PAGE]`.
// With `--write` what came is written into the page, for its author to read.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { difference } from './expected.ts';
import { type Page, pages } from './pages.ts';
import { came, play } from './play.ts';
import { type Shell, openShell } from './shell.ts';
import type { CommandStep } from './transcript.ts';
import { withPrinted } from './written.ts';

const { values } = parseArgs({
  options: { kubeconfig: { type: 'string' }, only: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const kubeconfig = values.kubeconfig ?? process.env['KUBECONFIG'];
if (kubeconfig === undefined) throw new Error('--kubeconfig names the cluster to play against');

let played = 0;
let others = 0;

async function playStep(page: Page, shell: Shell, step: CommandStep): Promise<readonly [CommandStep, CommandStep]> {
  const printed = await play(shell, step);
  played += 1;
  if (came(step, printed)) return [step, step];
  others += 1;
  process.stdout.write(`${page.name}.md:${step.line} $ ${step.command}\n`);
  process.stdout.write(`exit ${printed.exit} of ${step.exit}, ${difference(step.expected, printed.lines)}\n\n`);
  return [step, { ...step, expected: printed.lines, exit: printed.exit }];
}

async function playPage(page: Page): Promise<void> {
  const shell = await openShell(kubeconfig ?? '', page.name);
  await shell.run(`kubectl create namespace ${page.name}`);
  const changes: (readonly [CommandStep, CommandStep])[] = [];
  for (const step of page.steps)
    if (step.is === 'file') shell.write(step.name, step.text);
    else changes.push(await playStep(page, shell, step));
  await shell.run(`kubectl delete namespace ${page.name} --timeout=60s`);
  shell.clean();
  if (values.write) writeFileSync(page.url, withPrinted(readFileSync(page.url, 'utf8'), changes));
}

for (const page of pages) if (values.only === undefined || page.name === values.only) await playPage(page);
process.stdout.write(`${played} commands, ${others} came otherwise\n`);
process.exitCode = others === 0 ? 0 : 1;
