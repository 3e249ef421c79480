import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { root } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { newcomer } from './newcomer.ts';

const folder = join(root, 'crds/samples');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The samples in the order in which the README lists them. */
const listed = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^\| `([\w-]+\.yaml)` +\|/gm)].map(
  ([, name = '']) => name,
);

/** What the comment at the top of a sample tells to type: its lines that are indented by three spaces. */
const commandsOf = (sample: string): string => {
  const [top = ''] = /^(?:#.*\n)*/.exec(sample) ?? [];
  return [...top.matchAll(/^# {3}(.*)$/gm)].map(([, command]) => command).join('\n');
};

const spec = suite('samples and the states in their comments');
const { whyNot, follow, end, begin } = newcomer({ isStarted: true });

spec('the README lists every sample once', () => {
  assert.equal(listed.toSorted(), readdirSync(folder).toSorted());
});

if (whyNot === null) {
  spec.before(begin);
  spec.after(end);
  for (const name of listed)
    spec(`${name} can be applied, and the commands in its comments succeed`, async () => {
      const commands = commandsOf(textOf(name));
      assert.match(commands, new RegExp(`^kubectl apply -f crds/samples/${name}$`, 'm'));
      assert.match(commands, /^kubectl wait /m, 'a state is named');
      await follow(commands);
    });
} else spec.skip(`skipped samples: ${whyNot}`);

spec.run();
