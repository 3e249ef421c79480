import * as assert from 'uvu/assert';
import { asCalled, calledAs } from '../../../http/cli/calledAs.ts';
import { commands } from '../../../http/cli/tree.ts';
import { suite } from '../../support/suite.ts';
import { terminal } from './terminal.ts';

const spec = suite('the command line as a plugin of kubectl');
const at = terminal();
spec.after(() => at.clean());

spec('it is one where the program was called by the name of one', () => {
  const names = ['/usr/local/bin/kubectl-core', 'kubectl-core.exe', '/usr/bin/core', '/kubectl-core/core', ''];
  assert.equal(names.map(calledAs), ['kubectl core', 'kubectl core', 'core', 'core', 'core']);
});

spec('every help then calls it kubectl core, and is otherwise the same', async () => {
  const pages = [['--help'], ['help', 'exit-codes'], ...commands.map(({ name }) => [name, '--help'])];
  for (const line of pages) {
    const [plain, plugin] = [await at.core(line), await at.core(line, { called: 'kubectl core' })];
    assert.is(plugin.out.replaceAll('kubectl core ', 'core '), plain.out, line.join(' '));
    assert.not.match(plugin.out, /^ *(?:Usage: )?core /m, line.join(' '));
    assert.not.match(plugin.out, /'core /, line.join(' '));
  }
  assert.match((await at.core('help logs', { called: 'kubectl core' })).out, /^Usage: kubectl core logs /);
  assert.match((await at.core('--help', { called: 'kubectl core' })).out, /^Usage: kubectl core \[/);
});

spec('what to do about a mistake is told as it is called', async () => {
  const told = async (line: string) => (await at.core(line, { called: 'kubectl core' })).err;
  assert.is(await told('qqqqqq'), `Error: unknown command "qqqqqq": see 'kubectl core help'\n`);
  assert.match(await told('apps list'), /'kubectl core login /);
  assert.is((await at.core('version', { called: 'kubectl core' })).out, 'core dev\n');
});

spec('other words stay', () => {
  const text = 'a defect of core: core-system, core version v1, core helped, /bin/core logs, kubectl-core logs';
  assert.is(
    asCalled(text, 'kubectl core', ['version', 'help', 'logs']),
    text.replace('core version', 'kubectl core version'),
  );
  assert.is(asCalled(text, 'core', ['version']), text);
});

spec.run();
