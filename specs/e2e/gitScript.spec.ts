import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { gitScript } from '../../rules/build/gitScript.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { makeRepository } from '../support/repository.ts';
import { applySample } from '../support/sample.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';

const script = suite('the script of the git container with a real git');
const repository = makeRepository();
const workspaces = mkdtempSync(join(tmpdir(), 'core-workspace-'));
let product: Product;
let url = '';
let token = '';

const clone = (env: Readonly<Record<string, string>>) => {
  const workspace = join(mkdtempSync(join(workspaces, 'one-')), 'workspace');
  const output = execFileSync('sh', ['-c', gitScript], {
    env: { PATH: process.env['PATH'] ?? '', REPOSITORY_URL: url, BRANCH: 'main', WORKSPACE: workspace, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: workspace, encoding: 'utf8' }).trim();
  return { workspace, output, head };
};

script.before(async () => {
  product = await startProduct();
  url = `${product.endpoints.gitHost}/demo/hello.git`;
  await applySample(product.cluster, 'first-build.yaml');
  token = await until(async () => {
    const secret = await run(product.cluster.get(secrets, { name: 'shop-git-token' }));
    const text = secretText(secret, 'token');
    return text.startsWith('ghs_') && text;
  }, 'the operator renews the token');
});
script.after(async () => {
  await product.end('SIGTERM');
  product.clean();
  repository.clean();
  rmSync(workspaces, { recursive: true });
});

script(
  'BLD-083 BLD-084 the clone script clones the branch with the token and checks out the commit instead of the head',
  () => {
    const first = repository.commit({ 'services/shop/Buildfile': 'FROM scratch\n' }, 'First');
    repository.push(url);
    repository.commit({ 'services/shop/Buildfile': 'FROM scratch AS later\n' }, 'Second');
    repository.push(url);
    const { workspace, head, output } = clone({ COMMIT: first, GIT_TOKEN: token });
    assert.is(head, first);
    assert.is(readFileSync(join(workspace, 'services/shop/Buildfile'), 'utf8'), 'FROM scratch\n');
    assert.match(output, new RegExp(`Checked out ${first} First`));
    assert.not.match(output, new RegExp(token));
    const config = readFileSync(join(workspace, '.git/config'), 'utf8');
    assert.match(config, `url = ${url}`);
    assert.not.match(config, new RegExp(`Authorization|${token}`));
  },
);

script('BLD-084 the clone script fetches a commit that is not on the branch', () => {
  const other = repository.commit({ other: 'x' }, 'Other');
  repository.push(url, 'other');
  const { head } = clone({ COMMIT: other, GIT_TOKEN: token });
  assert.is(head, other);
});

script('the clone script fails with the reason when the Git host refuses the token', () => {
  const commit = repository.git('rev-parse', 'HEAD');
  assert.throws(() => clone({ COMMIT: commit, GIT_TOKEN: 'wrong' }), /401|Authentication|could not read/i);
});

script('the clone script fails when the branch does not exist', () => {
  const commit = repository.git('rev-parse', 'HEAD');
  assert.throws(
    () => clone({ COMMIT: commit, GIT_TOKEN: token, BRANCH: 'nowhere' }),
    /Remote branch nowhere not found/,
  );
});

script.run();
