import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { causeLength } from '../../../crds/cause.ts';
import { lastLine, masked } from '../../../rules/cause/lastLine.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the line of a termination message');

spec('the last line that is an error is taken, else the last one', () => {
  assert.is(lastLine('listening\nERROR no database\nINFO bye\n', []), 'ERROR no database');
  assert.is(lastLine('listening\nbye\n\n', []), 'bye');
  assert.is(lastLine('', []), '');
  assert.is(lastLine('\n \r\n', []), '');
});

spec('escape sequences and control characters go, and 300 characters stay', () => {
  const escape = String.fromCharCode(0x1b);
  assert.is(lastLine(`${escape}[31;1mERROR${escape}[0m: no\u0000 \u0007database`, []), 'ERROR: no   database');
  const line = lastLine('x'.repeat(2_097_152), []);
  assert.is(line.length, causeLength);
  assert.ok(line.endsWith('…'));
  assert.ok(!/[\ud800-\udbff]…$/.test(lastLine('😀'.repeat(400), [])));
});

spec('values of Secrets of six characters and more are masked, shorter ones are words', () => {
  assert.is(lastLine('token hunter2 refused, user bob', ['hunter2', 'bob']), 'token *** refused, user bob');
  assert.is(lastLine('longer-secret', ['secret', 'longer-secret']), '***');
  assert.is(lastLine('key\nBEGIN PRIVATE\nabcdefgh', ['BEGIN PRIVATE\nabcdefgh']), '***');
});

spec('user and password of an address are masked', () => {
  assert.is(lastLine('cannot reach postgres://bob:pw@db:5432/shop', []), 'cannot reach postgres://***@db:5432/shop');
  assert.is(lastLine('cannot reach bob:pw@db', []), 'cannot reach ***@db');
  assert.is(lastLine('at 12:30 somebody wrote to a@b.example', []), 'at 12:30 somebody wrote to a@b.example');
});

spec('the end of a secret at the beginning of a message that was cut is masked', () => {
  assert.is(lastLine(`ter2-and-more${'y'.repeat(10)}`, ['hunter2-and-more']), `***${'y'.repeat(10)}`);
});

spec('no value of a Secret is left in any text', () => {
  const secret = fc.string({ minLength: 6, maxLength: 40 }).filter((value) => !/[*\n\r]/.test(value));
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 4 }),
      fc.array(fc.string(), { maxLength: 5 }),
      (all, between) => {
        const text = all.map((value, at) => `${between[at] ?? ''}${value}`).join(' ');
        assert.ok(all.every((value) => !masked(text, all).includes(value)));
        assert.ok(all.every((value) => !lastLine(text, all).includes(value)));
      },
    ),
  );
});

spec('a long message with many secrets takes a time that grows with its length alone', () => {
  const line = 'ERROR a:b@ '.repeat(200_000);
  assert.ok(
    lastLine(
      line,
      Array.from({ length: 50 }, (_, at) => `secret-${at}`),
    ).length <= causeLength,
  );
});

spec.run();
