import { Effect, Result, Stream } from 'effect';
import * as assert from 'uvu/assert';
import { pods } from '../../../../../runtime/services/cluster/resources.ts';
import { type LogLinesOptions, longestLine, type ReadError } from '../../../../../runtime/services/cluster/cluster.ts';
import type { ExecEnd, Execution, ExecStream } from '../../../../../runtime/services/exec.ts';
import { until } from '../../../../support/until.ts';
import { type Ground, lastWord } from './grounds.ts';

/** One thing that every cluster does with the log or the commands of a container. */
interface StreamCase {
  readonly title: string;
  readonly check: (ground: Ground) => Promise<void>;
}

const main = 'main';
const run = Effect.runPromise;
const lines = ({ cluster }: Ground, name: string, options: Partial<LogLinesOptions> = {}) =>
  run(Stream.runCollect(cluster.logLines({ name }, { container: main, ...options })));
const refusal = async <A>(asked: Effect.Effect<A, ReadError>): Promise<string> => {
  const result = await run(Effect.result(asked));
  if (Result.isSuccess(result)) throw new Error('it succeeded');
  const { failure } = result;
  return `${failure._tag}: ${'what' in failure ? failure.what : failure.message}`;
};
const logRefusal = ({ cluster }: Ground, name: string, options: Partial<LogLinesOptions> = {}) =>
  refusal(Stream.runCollect(cluster.logLines({ name }, { container: main, ...options })));

interface Running {
  readonly stream: ExecStream;
  readonly shown: () => string;
  readonly ends: () => readonly ExecEnd[];
  readonly ended: Promise<ExecEnd>;
}

const asked = (command: readonly string[], interactive: boolean): Execution => ({
  container: main,
  command,
  interactive,
});

async function start({ exec }: Ground, pod: string, command: readonly string[], interactive = false): Promise<Running> {
  const stream = await run(exec.open({ name: pod }, asked(command, interactive)));
  const ends: ExecEnd[] = [];
  let shown = '';
  const ended = new Promise<ExecEnd>((done) =>
    stream.listen({
      output: (data) => (shown += data.toString()),
      drained: () => {},
      ended: (end) => {
        ends.push(end);
        done(end);
      },
    }),
  );
  return { stream, shown: () => shown, ends: () => ends, ended };
}

const openRefusal = ({ exec }: Ground, name: string, execution: Partial<Execution> = {}) =>
  refusal(exec.open({ name }, { ...asked(['sh'], true), ...execution }));
const exited = (code: number): ExecEnd => ({ is: 'exited', code });

const logCases: readonly StreamCase[] = [
  {
    title: 'the last lines, those since a moment, and the time of each',
    check: async (ground) => {
      await ground.runs('says', ['one', 'two', 'three']);
      assert.equal(await lines(ground, 'says'), ['one', 'two', 'three']);
      assert.equal(await lines(ground, 'says', { tailLines: 2 }), ['two', 'three']);
      assert.equal(await lines(ground, 'says', { tailLines: 0 }), []);
      assert.equal(await lines(ground, 'says', { sinceSeconds: 3_600, tailLines: 1 }), ['three']);
      assert.equal(await lines(ground, 'says', { sinceTime: '2999-01-01T00:00:00Z' }), []);
      for (const line of await lines(ground, 'says', { timestamps: true }))
        assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z (one|two|three)$/);
    },
  },
  {
    title: 'a log that is followed goes on until its container ends, from the last lines on',
    check: async (ground) => {
      await ground.runs('ends', ['one', 'two'], 'says it is over');
      assert.equal(await lines(ground, 'ends', { follow: true, tailLines: 1 }), ['two', lastWord]);
      assert.equal(await lines(ground, 'ends', { follow: true }), ['one', 'two', lastWord]);
    },
  },
  {
    title: 'a log that is followed ends with its pod',
    check: async (ground) => {
      await ground.runs('goes', ['one']);
      const heard: string[] = [];
      const followed = run(
        Stream.runForEach(ground.cluster.logLines({ name: 'goes' }, { container: main, follow: true }), (line) =>
          Effect.sync(() => void heard.push(line)),
        ),
      );
      await until(() => heard.length === 1, 'its line is heard');
      await run(ground.cluster.remove(pods, { name: 'goes' }));
      await followed;
      assert.equal(heard, ['one']);
    },
  },
  {
    title: 'the run before is read where there was one, and not followed',
    check: async (ground) => {
      await ground.runs('again', ['broken'], 'fails, again and again');
      assert.equal(await lines(ground, 'again', { previous: true }), ['broken']);
      assert.equal(await lines(ground, 'again', { previous: true, follow: true }), ['broken']);
      await ground.runs('first', ['fine']);
      assert.is(
        await logRefusal(ground, 'first', { previous: true }),
        'Refused: previous terminated container "main" in pod "first" not found',
      );
    },
  },
  {
    title: 'a line is cut off where it is too long',
    check: async (ground) => {
      const long = 'x'.repeat(longestLine + 100);
      await ground.runs('long', [long, 'next']);
      const [cut = '', next] = await lines(ground, 'long');
      assert.equal([cut.length, next], [longestLine, 'next']);
    },
  },
  {
    title: 'a log that nobody writes, and what no log has, is refused',
    check: async (ground) => {
      await ground.runs('has', ['one']);
      assert.is(await logRefusal(ground, 'nobody'), 'NotFound: pods "nobody" not found');
      assert.is(
        await logRefusal(ground, 'has', { container: 'other' }),
        'Refused: container other is not valid for pod has',
      );
      assert.match(await logRefusal(ground, 'has', { tailLines: -1 }), /^Refused: .*tailLines: Invalid value: -1: /);
      assert.match(
        await logRefusal(ground, 'has', { sinceSeconds: 0 }),
        /^Refused: .*sinceSeconds: Invalid value: 0: /,
      );
    },
  },
];

const execCases: readonly StreamCase[] = [
  {
    title: 'what a command says comes out, and how it ended',
    check: async (ground) => {
      await ground.runs('does', ['up']);
      const said = await start(ground, 'does', ['sh', '-c', 'echo out; echo bad >&2; exit 7']);
      assert.equal(await said.ended, exited(7));
      assert.equal(said.shown().split('\n').toSorted(), ['', 'bad', 'out']);
      assert.equal(await (await start(ground, 'does', ['echo', 'it  is'])).ended, exited(0));
      assert.equal(await (await start(ground, 'does', ['sh', '-c', 'nosuch'])).ended, exited(127));
    },
  },
  {
    title: 'a command that does not exist never began',
    check: async (ground) => {
      await ground.runs('lacks', ['up']);
      for (const isInteractive of [false, true]) {
        const end = await (await start(ground, 'lacks', ['nosuch'], isInteractive)).ended;
        assert.is(end.is, 'lost');
        assert.match(end.is === 'lost' ? end.why : '', /exec: "nosuch": executable file not found in \$PATH/);
      }
    },
  },
  {
    title: 'a shell shows what is typed, and ends by its word or with its input',
    check: async (ground) => {
      await ground.runs('typed', ['up']);
      const leaves = await start(ground, 'typed', ['sh'], true);
      leaves.stream.write(Buffer.from('exit 3\r'));
      assert.equal(await leaves.ended, exited(3));
      assert.match(leaves.shown(), /exit 3/);
      const closes = await start(ground, 'typed', ['sh'], true);
      closes.stream.write(Buffer.from('\u0004'));
      assert.equal(await closes.ended, exited(0));
    },
  },
  {
    title: 'what is held stays where it is, and comes once when it is let go',
    check: async (ground) => {
      await ground.runs('held', ['up']);
      const shell = await start(ground, 'held', ['sh'], true);
      shell.stream.hold(true);
      shell.stream.write(Buffer.from('echo mark\r'));
      const before = shell.shown();
      shell.stream.hold(false);
      await until(() => shell.shown().includes('echo mark'), 'it is shown');
      assert.not.ok(before.includes('mark'));
      shell.stream.close();
      assert.is((await shell.ended).is, 'lost');
      shell.stream.close();
      assert.is(shell.ends().length, 1);
      assert.ok(shell.stream.write(Buffer.from('late\r')), 'who writes later is not told to wait');
    },
  },
  {
    title: 'commands are killed with their pod',
    check: async (ground) => {
      await ground.runs('dies', ['up']);
      const shell = await start(ground, 'dies', ['sh'], true);
      await run(ground.cluster.remove(pods, { name: 'dies' }));
      assert.equal(await shell.ended, exited(137));
    },
  },
  {
    title: 'where nothing runs nothing is opened',
    check: async (ground) => {
      await ground.runs('over', ['one'], 'says it is over');
      await lines(ground, 'over', { follow: true });
      assert.is(await openRefusal(ground, 'nobody'), 'NotFound: pods "nobody" not found');
      assert.is(
        await openRefusal(ground, 'over', { container: 'other' }),
        'Refused: container other is not valid for pod over',
      );
      await until(
        async () =>
          (await openRefusal(ground, 'over').catch(String)) === 'Unavailable: 500 container not found ("main")',
        'its end is told',
      );
      assert.match(await openRefusal(ground, 'over', { command: [] }), /^(Refused: you must specify|Unavailable: )/);
    },
  },
];

export const streamCases = [...logCases, ...execCases];
