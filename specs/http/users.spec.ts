import * as assert from 'uvu/assert';
import { compare } from 'bcryptjs';
import type { Items, UserItem } from '../../http/api.ts';
import { systemNamespace } from '../../crds/names.ts';
import { authSecret, directoryOf, encode } from '../../http/auth/directory.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { passwordHash, serve, type Served } from './served.ts';

const spec = suite('users');
let served: Served;
spec.before.each(async () => {
  served = await serve();
});
spec.after.each(() => served.stop());

const entry = (name: string) => secretText(served.secret(), `user.${name}`);
const write = (entries: Readonly<Record<string, string>>) =>
  served.world.cluster.put(secrets, {
    metadata: { name: authSecret, namespace: systemNamespace },
    data: {
      ...served.secret()?.data,
      ...Object.fromEntries(Object.entries(entries).map(([name, text]) => [`user.${name}`, encode(text)])),
    },
  });
const everything = () =>
  Object.keys(served.secret()?.data ?? {})
    .map((key) => secretText(served.secret(), key))
    .join('\n');
const listed = async () => ((await served.ask('/api/v1/users')).json() as Items<UserItem>).items;
const told = () => served.lines.filter(({ message }) => message === 'invalid user');

spec('AUT-002 AUT-003 users who are written with the same password each get a hash of their own', async () => {
  write({
    viewer: '{"role":"viewer","password":"the same","team":"web"}',
    ci: '{"role":"viewer","password":"the same"}',
  });
  const hashes = await until(() => {
    const { users } = directoryOf(served.secret());
    const found = ['viewer', 'ci'].flatMap((name) => users.get(name)?.password ?? []);
    return found.every((one) => one.startsWith('$2')) && found;
  }, 'both are hashed');
  assert.is(new Set(hashes).size, 2);
  for (const hash of hashes) assert.ok(await compare('the same', hash));
  assert.match(entry('viewer'), '"team":"web"', 'the other entries are unchanged');
});

const unusable = {
  capital: ['{"role":"Admin","password":"secret-1"}', 'the role must be admin or viewer'],
  observer: [`{"role":"observer","password":"${passwordHash}"}`, 'the role must be admin or viewer'],
  norole: ['{"password":"secret-2"}', 'there is no role: admin or viewer'],
  number: ['{"role":"viewer","password":733137331}', 'the password must be a text'],
  object: ['{"role":"viewer","password":{"plain":"secret-3"}}', 'the password must be a text'],
  both: ['{"role":"root","password":["secret-4"]}', 'the role must be admin or viewer; the password must be a text'],
  long: [`{"role":"viewer","password":"secret-5${'x'.repeat(65)}"}`, 'the password is longer than 72 bytes'],
  none: ['{"role":"viewer"}', 'there is no password'],
  sample: ['{"role":"viewer","password":"change-me"}', 'the password is that of the sample'],
  slow: [
    `{"role":"viewer","password":"${passwordHash.replace('$04$', '$31$')}"}`,
    'the hash of the password is none that can be checked',
  ],
  broken: ['{"role":"viewer","password":"secret-6"', 'the entry is no JSON object'],
  bare: ['secret-7', 'the entry is no JSON object'],
} as const;

spec(
  'AUT-006 a user who cannot be used is named with the reason, in the log once a version and in the list',
  async () => {
    const texts = Object.fromEntries(Object.entries(unusable).map(([name, [text]]) => [name, text]));
    write(texts);
    const isSafe = () => !/secret-|733137331|change-me/.test(everything());
    await until(isSafe, 'no password can be read');
    const problems = Object.fromEntries((await listed()).map(({ name, ...rest }) => [name, rest]));
    for (const [name, [, problem]] of Object.entries(unusable)) {
      assert.equal([problems[name]?.usable, problems[name]?.problem], [false, problem], name);
      await until(
        () =>
          told().some(({ fields }) => JSON.stringify(fields) === JSON.stringify({ username: name, error: problem })),
        `the log says why ${name} cannot be used`,
      );
      assert.is((await served.ask('/api/v1/me')).status, 200);
    }
    assert.equal(problems['capital']?.role, 'Admin');
    assert.equal(problems['admin'], { role: 'admin', usable: true, problem: '' });
    for (const text of ['secret-', '$2b$', 'epoch']) assert.not.match(JSON.stringify(problems), text);
    // Every version is processed once: two at most, the one by hand and the one without readable passwords.
    const ofOne = () => told().filter(({ fields }) => JSON.stringify(fields).includes('"capital"')).length;
    assert.ok(ofOne() >= 1 && ofOne() <= 2, `${ofOne()} lines`);
    const before = ofOne();
    for (let time = 0; time < 3; time++) await listed();
    assert.is(ofOne(), before, 'reading logs nothing');
  },
);

spec('AUT-003 a repaired entry keeps its hashed password', async () => {
  write({ capital: '{"role":"Admin","password":"as it was"}' });
  await until(() => !everything().includes('as it was'), 'it is hashed');
  write({ capital: entry('capital').replace('Admin', 'admin') });
  await until(() => directoryOf(served.secret()).users.has('capital'), 'it is a user');
  const body = JSON.stringify({ username: 'capital', password: 'as it was' });
  const headers = { 'content-type': 'application/json' };
  assert.is((await served.askPlain('/api/v1/login', { method: 'POST', headers, body })).status, 200);
});
spec.run();
