import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { base32, newSession } from '../../rules/consoleSession/newSession.ts';
import { hangUpCommand, markIn, startCommand } from '../../rules/consoleSession/start.ts';
import { isNameable } from '../../rules/consoleSession/target.ts';
import { withoutMark } from '../../runtime/terminals/marked.ts';
import type { ExecListener } from '../../runtime/services/exec.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the rules of console sessions');
const mark = '\u001b]7197;core;4711\u0007';

spec('CON-022 only the command sh is replaced by the start script', () => {
  assert.is(startCommand(['sh'], 'core-a/1').length, 3);
  for (const command of [['sh', '-l'], ['bash'], ['/bin/sh'], []])
    assert.equal(startCommand(command, 'core-a/1'), command);
  assert.equal(hangUpCommand(12), ['sh', '-c', 'kill -HUP 12']);
});

spec('a mark is found at any position, and similar text is not taken for a mark', () => {
  assert.equal(markIn(`${mark}$ `), { is: 'mark', pid: 4711, at: 0, bytes: mark.length });
  assert.equal(markIn(`echo hi\r\n${mark}`), { is: 'mark', pid: 4711, at: 9, bytes: mark.length });
  for (const text of [
    '',
    '$ ',
    '\u001b[0m',
    '\u001b]7197;core;x\u0007',
    '\u001b]7197;core;\u0007',
    '\u001b]7197;core;12345678901\u0007',
  ])
    assert.equal(markIn(text), { is: 'none' }, JSON.stringify(text));
  assert.equal(markIn('ab\u001b]71'), { is: 'unfinished', at: 2 });
});

/** What is shown of a stream whose output comes in these pieces. */
function shownOf(parts: readonly Buffer[]): { readonly text: string; readonly pids: readonly number[] } {
  const shown: Buffer[] = [];
  const pids: number[] = [];
  let inner: ExecListener | null = null;
  const stream = withoutMark(
    { listen: (given) => (inner = given), write: () => true, resize: () => {}, hold: () => {}, close: () => {} },
    (pid) => pids.push(pid),
  );
  stream.listen({ output: (data) => shown.push(data), drained: () => {}, ended: () => {} });
  const outside = inner as ExecListener | null;
  for (const piece of parts) outside?.output(piece);
  outside?.ended({ is: 'exited', code: 0 });
  return { text: Buffer.concat(shown).toString('latin1'), pids };
}

spec('the mark is stripped and reported once in any chunking of the output, and the rest is shown', () => {
  const noise = fc.string({ unit: fc.constantFrom('a', '\u001b', ']', '7', '\n'), maxLength: 20 });
  fc.assert(
    fc.property(noise, noise, fc.boolean(), fc.array(fc.nat(60), { maxLength: 8 }), (before, after, has, cuts) => {
      const whole = Buffer.from(`${before}${has ? mark : ''}${after}`, 'latin1');
      const at = [0, ...cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b), whole.length];
      const { text, pids } = shownOf(at.slice(1).map((to, index) => whole.subarray(at[index], to)));
      assert.is(text, before + after);
      assert.equal(pids, has ? [4711] : []);
    }),
  );
});

spec('CON-056 a path is not accepted as a name', () => {
  const target = { app: 'web', project: 'shop', environment: 'production', pod: 'web-1', container: 'app' };
  assert.ok(isNameable(target));
  for (const bad of ['', '.', '..', '../x', 'a/b', 'a%2fb', 'A', 'a'.repeat(254), 'a b', 'a?x', 'ä'])
    for (const field of ['app', 'pod', 'container', 'project'] as const)
      assert.not.ok(isNameable({ ...target, [field]: bad }), `${field} ${bad}`);
});

spec('the name of a session carries 80 random bits', () => {
  assert.is(base32(new Uint8Array(10)), 'a'.repeat(16));
  assert.is(base32(new Uint8Array(10).fill(255)), '7'.repeat(16));
  const target = { app: 'web', project: 'shop', environment: 'production', pod: 'web-1', container: 'app' };
  const made = newSession({
    target,
    actor: 'admin',
    command: ['sh'],
    timeoutSeconds: undefined,
    podUid: 'uid',
    random: new Uint8Array(10),
  });
  assert.is(made.metadata.name, `console-${'a'.repeat(16)}`);
});

spec.run();
