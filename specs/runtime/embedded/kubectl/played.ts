import * as assert from 'uvu/assert';
import { noKubectl } from '../../../support/kubectl.ts';
import { type Product, startProduct } from '../../../support/product.ts';
import { isChosen } from '../../../support/share.ts';
import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';
import { difference } from './expected.ts';
import { pages } from './pages.ts';
import { came, play } from './play.ts';
import { type Shell, openShell } from './shell.ts';

/** One page in this many is played by each run of the suite. */
const oneOf = 6;

/** A suite that plays some of the pages, command by command, against the embedded cluster as it ships. */
export function playing(names: readonly string[]) {
  const spec = suite(`kubectl: ${names.join(', ')}`);
  const chosen = pages.filter(({ name }, at) => names.includes(name) && isChosen(at, oneOf));
  const missing = noKubectl() ?? (chosen.length === 0 ? `\`npm run whole\` plays ${names.join(', ')}` : null);
  const test = unless(spec, missing);
  let cluster: Product;
  let shell: Shell;

  spec.before(async () => {
    if (missing === null) cluster = await startProduct({ env: { CORE_ROLE: 'cluster' } });
  });
  spec.after(async () => {
    if (missing !== null) return;
    await cluster.end('SIGTERM');
    cluster.clean();
  });

  for (const { name, steps } of chosen) {
    test(`${name}: begins`, async () => {
      shell = await openShell(cluster.endpoints.kubeconfig ?? '', name);
      const { exit, lines } = await shell.run(`kubectl create namespace ${name}`);
      assert.is(exit, 0, lines.join('\n'));
    });
    for (const step of steps) {
      if (step.is === 'file') test(`${name}: ${step.name} is written`, () => shell.write(step.name, step.text));
      else
        test(`${name}:${step.line} ${step.command}`, async () => {
          const printed = await play(shell, step);
          assert.ok(
            came(step, printed),
            `${name}.md:${step.line} exit ${printed.exit} of ${step.exit}\n${difference(step.expected, printed.lines)}`,
          );
        });
    }
    test(`${name}: ends`, async () => {
      const { exit, lines } = await shell.run(`kubectl delete namespace ${name} --timeout=180s`);
      shell.clean();
      assert.is(exit, 0, lines.join('\n'));
    });
  }
  return spec;
}
