import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { traceCommands } from './commands.ts';

const spec = suite('commands for ids and revisions');
const ask = async (line: string) => {
  const [command = '', ...args] = line.split(' ').filter((word) => word !== '');
  return traceCommands[command]?.(args);
};

const refusals: readonly (readonly [asked: string, line: string])[] = [
  ['why', 'why what? npm run specs -- why BLD-157'],
  ['diff', 'since which revision? npm run specs -- diff HEAD~1'],
  ['diff HEAD HEAD', 'since which revision? npm run specs -- diff HEAD~1'],
  ['diff no-such-revision', 'git knows no revision "no-such-revision"'],
];
for (const [asked, line] of refusals)
  spec(`"${asked}" is refused in one line`, async () => assert.equal(await ask(asked), { lines: [line], exit: 2 }));

spec('several ids are answered in order, and an unknown one is reported among them', async () => {
  const told = await ask('why BLD-001 BLD-000 BLD-002');
  assert.is(told?.exit, 2);
  assert.equal(
    told?.lines.filter((line) => !line.startsWith(' ')).map((line) => line.split(' ')[0]),
    ['BLD-001', '"BLD-000"', 'BLD-002'],
  );
});

spec('the coverage of one area reports only that area', async () => {
  const told = await ask('coverage --area mcp');
  assert.is(told?.exit, 0);
  assert.match(told?.lines[1] ?? '', /^MCP +22 /);
  assert.is((await ask('coverage --area nowhere'))?.exit, 2);
});

spec.run();
