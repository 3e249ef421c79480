import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { root } from './sources.ts';

const spec = suite('the subjects of commits');

const git = (...args: readonly string[]): string => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
};

/** What is wrong with the subject of a commit; null where nothing is. */
export function complaintOf(subject: string): string | null {
  if (subject.length > 72) return `${subject.length} characters, at most 72`;
  if (/^Merge \S+: \S/.test(subject)) return null;
  const [, what = ''] = /^[a-z][\w.-]*(?:, [a-z][\w.-]*)*: (.+)$/i.exec(subject) ?? [];
  if (what === '') return 'no "<scope>: <imperative>"';
  if (/^[A-Z][a-z]/.test(what)) return 'what follows the scope begins with a capital';
  return what.endsWith('.') ? 'ends with a full stop' : null;
}

const [introducing = ''] = git('log', '--diff-filter=A', '--format=%H', '--', 'specs/house/commits.spec.ts')
  .split('\n')
  .slice(-1);

const since = introducing === '' ? '' : git('log', '--format=%s', `${introducing}^..HEAD`);
const check = (title: string, test: () => void) => (since === '' ? spec.skip(title, test) : spec(title, test));

check('each commit subject since this check is short and names its scope', () => {
  const wrong = since.split('\n').flatMap((subject) => {
    const complaint = complaintOf(subject);
    return complaint === null ? [] : [`${subject}: ${complaint}`];
  });
  assert.equal(wrong, []);
});

spec('a subject is refused for its length, its form and its end', () => {
  assert.is(complaintOf('owned: describe differences as data'), null);
  assert.is(complaintOf('rules, runtime: say log lines plainly'), null);
  assert.is(complaintOf('Merge h37/routes: one file for each REST resource'), null);
  assert.match(complaintOf(`owned: ${'x'.repeat(70)}`) ?? '', /at most 72/);
  assert.match(complaintOf('Formatted') ?? '', /scope/);
  assert.match(complaintOf('owned: Describe differences') ?? '', /capital/);
  assert.match(complaintOf('owned: describe differences.') ?? '', /full stop/);
});

spec.run();
