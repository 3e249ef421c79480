import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { openTicket, sealTicket } from '../../http/auth/cookie.ts';
import { drawId, drawSecret, readToken, writeToken } from '../../http/auth/tokens/text.ts';
import { quoted, wordsOf } from '../../http/dashboard/model/command.ts';
import { listIn, listText } from '../../http/dashboard/model/listText.ts';
import { positionIn, positionText } from '../../rules/backup/changeLog.ts';
import { chosenIn, chosenText } from '../../rules/restore/choice.ts';
import { lineId, linePlace } from '../../rules/serviceLog/line.ts';
import { suite } from '../support/suite.ts';

const readBack = suite('round trips of formats');

/** Texts that writers meet: quotes, blanks, separators and line ends among others. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom("'", '"', '\\', ' ', '\t', '\n', ',', '$', '`'),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

readBack('quoted words are read back by the parser and by a shell', () => {
  const words = fc.array(hostile, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(words, (given) => assert.equal(wordsOf(given.map(quoted).join(' ')), given)),
    { numRuns: 500 },
  );
  const some = fc.sample(
    hostile.filter((text) => !/\0|\p{Surrogate}/u.test(text)),
    { numRuns: 200, seed: 7 },
  );
  const said = execFileSync('sh', ['-c', `printf '%s\\0' ${some.map(quoted).join(' ')}`]).toString();
  assert.equal(said.split('\0').slice(0, -1), some);
});

readBack('a command is split into words as by a shell', () => {
  const divided: readonly (readonly [text: string, words: readonly string[] | null])[] = [
    ['  ls  -la /tmp ', ['ls', '-la', '/tmp']],
    [`sh -c 'echo "hi there"'`, ['sh', '-c', 'echo "hi there"']],
    [String.raw`echo "a \"b\" \n" it\'s`, ['echo', String.raw`a "b" \n`, "it's"]],
    [`a'b c'"d e"f ''`, ['ab cd ef', '']],
    ['', []],
    [`echo 'open`, null],
    ['echo "open', null],
    ['echo \\', null],
  ];
  for (const [text, words] of divided) assert.equal(wordsOf(text), words, text);
});

readBack('lists in fields are read back as words or lines', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,10}$/);
  fc.assert(fc.property(fc.array(name), (given) => assert.equal(listIn('words', listText('words', given)), given)));
  const line = hostile.filter((text) => text.trim() !== '' && !text.includes('\n'));
  fc.assert(fc.property(fc.array(line), (given) => assert.equal(listIn('lines', listText('lines', given)), given)));
  assert.equal(listIn('lines', 'src/{a,b}/**\n\ndocs/my file.md\n'), ['src/{a,b}/**', 'docs/my file.md']);
});

readBack('a session cookie is read back only with its key', () => {
  const ticket = fc.record({
    username: hostile.filter((text) => !/\p{Surrogate}/u.test(text)),
    role: fc.constantFrom('admin' as const, 'viewer' as const),
    expiresAt: fc.nat(),
    epoch: fc.nat(),
  });
  const key = Buffer.alloc(32, 1);
  fc.assert(
    fc.property(ticket, (given) => {
      assert.equal(openTicket(sealTicket(given, key), key), { ...given });
      assert.is(openTicket(sealTicket(given, key), Buffer.alloc(32, 2)), null);
    }),
  );
});

readBack('tokens, log positions, change positions and restore choices are read back', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('workspace' as const, 'project' as const),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (kind, bytes) => {
        const random = (length: number) => Buffer.from(bytes.slice(0, length));
        const token = { kind, id: drawId(random), secret: drawSecret(random) };
        assert.equal(readToken(writeToken(token)), token);
      },
    ),
  );
  const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/);
  const pod = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));
  const place = fc.record({ at: fc.nat(), pod, container: label, n: fc.nat({ max: 999_999_999 }) });
  fc.assert(fc.property(place, (given) => assert.equal(linePlace(lineId(given)), { ...given })));
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (at) => assert.is(positionIn(positionText(at)), at)),
  );
  const chosen = fc.oneof(
    hostile.map((id) => ({ is: 'point' as const, id })),
    hostile.map((time) => ({ is: 'time' as const, time })),
    fc.constant({ is: 'newest' as const }),
  );
  fc.assert(
    fc.property(hostile, chosen, (archive, given) => {
      assert.equal(chosenIn(chosenText(archive, given), archive), given);
      assert.is(chosenIn(chosenText(archive, given), `${archive}x`), null);
    }),
  );
});

readBack.run();
