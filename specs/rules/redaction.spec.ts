import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type KindName, kinds } from '../../crds/kinds.ts';
import { copyOf } from '../../rules/redaction/copy.ts';
import { visibleFacts } from '../../rules/redaction/facts.ts';
import { isListed, redact } from '../../rules/redaction/redact.ts';
import { failureInWords, messageInWords, moveInWords } from '../../rules/redaction/words.ts';
import {
  closed,
  external,
  hidden,
  nothing,
  open,
  type Message,
  sentence,
  toObservers,
  toViewers,
} from '../../rules/words.ts';
import type { View } from '../../rules/access/needs.ts';
import { suite } from '../support/suite.ts';
import { hiddenFromBoth, hiddenFromViewers, hiddenNumber, marked, type Marked, openIn } from './marked.ts';

const redaction = suite('redaction');
const names = kinds.map(({ kind }) => kind as KindName);

const withSpec = (kind: KindName, spec: object, view: 'viewer' | 'observer' | 'whole') =>
  redact(kind, { metadata: { name: 'x' }, spec }, view).spec as Readonly<Record<string, unknown>>;

redaction(
  'AUT-032 AUT-036 AUT-037 SEC-017 SEC-019 a viewer reads no variables, and an observer all but secret values',
  () => {
    const spec = { config: { MODE: 'fast' }, secretData: { TOKEN: 'hush' }, secretRefs: [{ name: 'keys' }] };
    assert.equal(withSpec('CoreApp', spec, 'viewer'), {});
    assert.equal(withSpec('CoreApp', spec, 'observer'), { ...spec, secretData: { TOKEN: '' } });
    assert.equal(withSpec('CoreApp', spec, 'whole'), { ...spec, secretData: { TOKEN: '' } });
  },
);

redaction(
  'AUT-064 a redacted project has plain shared values but no Git connection, webhooks or backup storage',
  () => {
    const plain = { name: 'MODE', environment: 'production', value: 'fast' };
    const secret = { ...plain, name: 'TOKEN', value: 'left over', secretRef: { name: 'keys', key: 'token' } };
    const spec = {
      environments: ['production'],
      sharedVariables: [plain, secret],
      gitConnectionRef: { name: 'git' },
      webhooks: [{ id: 'abcdefgh', url: 'https://hook.example', disabled: false }],
      backupStorage: { connectionRef: { name: 'cloud' }, bucket: 'backups' },
    };
    const { value: _, ...withheld } = secret;
    assert.equal(withSpec('CoreProject', spec, 'viewer'), { environments: ['production'] });
    assert.equal(withSpec('CoreProject', spec, 'observer'), {
      environments: ['production'],
      sharedVariables: [plain, withheld],
    });
    assert.is(withSpec('CoreProject', spec, 'whole'), spec);
  },
);

redaction(
  'AUT-034 AUT-063 a redacted database has no engine, host, user, password reference or connection details',
  () => {
    const database = {
      metadata: { name: 'main' },
      spec: {
        project: 'shop',
        engine: 'Postgres',
        version: '16',
        externalHost: 'db.example',
        externalPort: 5432,
        username: 'app',
        databaseName: 'orders',
        passwordSecretRef: { name: 'main-password', key: 'password' },
        connectionRef: { name: 'cloud' },
      },
      status: { host: 'db.example', connectionSecret: 'main-connection', managed: { phase: 'Ready', login: 'core-1' } },
    };
    for (const view of ['viewer', 'observer'] as const) {
      const { spec, status } = redact('CoreDatabase', database, view);
      assert.equal([spec, status], [{ project: 'shop' }, {}]);
    }
  },
);

redaction('AUT-034 a redacted archive has no storage', () => {
  const storage = { connectionRef: { name: 'cloud' }, bucket: 'core-backup', region: 'eu' };
  const spec = { database: 'main', storage, source: { engine: 'Postgres', storageSize: '10Gi' } };
  assert.equal(withSpec('CoreBackupArchive', spec, 'viewer'), { database: 'main', source: { storageSize: '10Gi' } });
  assert.is(withSpec('CoreBackupArchive', spec, 'whole'), spec);
});

redaction('AUT-033 hostnames and repositories are hidden, except the public address in the status', () => {
  const app = {
    metadata: { name: 'shop' },
    spec: {
      source: { git: { repository: 'acme/shop', branch: 'main' } },
      networking: { host: 'a.example', tls: true },
    },
    status: { url: 'https://a.example', resolvedImage: 'registry.example/acme/shop@sha256:00' },
  };
  for (const view of ['viewer', 'observer'] as const) {
    const { spec, status } = redact('CoreApp', app, view);
    assert.equal(spec, { source: { git: { branch: 'main' } }, networking: { tls: true } });
    assert.equal(status, { url: 'https://a.example' });
  }
});

redaction(
  'AUT-034 AUT-035 connections and terminals are not listed for viewers and observers, nor is an unknown kind',
  () => {
    for (const view of ['viewer', 'observer'] as const) {
      assert.equal(
        names.filter((kind) => !isListed(kind, view)),
        ['CoreCloudConnection', 'CoreConsoleSession', 'CoreGitHostConnection', 'CoreNetworkLog'],
      );
      assert.not.ok(isListed('CoreOther', view));
      const copy = redact('CoreOther', { metadata: { name: 'x' }, spec: { a: 1 }, status: { b: 2 } }, view);
      assert.equal([copy.spec, copy.status], [{}, {}]);
    }
    assert.ok(isListed('CoreGitHostConnection', 'whole'));
  },
);

for (const kind of names)
  redaction(`AUT-031 AUT-036 ${kind}: nothing hidden is copied, and everything visible is, unchanged`, () => {
    fc.assert(
      fc.property(marked(kind, 'x'), (object) => {
        for (const view of ['viewer', 'observer'] as const) {
          const copy = redact(kind, object, view);
          const text = JSON.stringify(copy);
          assert.not.match(text, hiddenFromBoth, `${view}: ${text}`);
          assert.not.match(text, String(hiddenNumber), `${view}: ${text}`);
          if (view === 'viewer') assert.not.match(text, hiddenFromViewers, text);
          const open = (of: Pick<Marked, 'spec' | 'status'>) => openIn(kind, view, of).filter(isNoSecret(object));
          assert.equal(open(copy as Marked), open(object), view);
        }
      }),
      { numRuns: 300 },
    );
  });

/** A value beside a reference to a Secret is open to nobody. */
const isNoSecret =
  ({ spec }: Marked) =>
  (field: string): boolean =>
    !field.startsWith('spec.sharedVariables.value') || !JSON.stringify(spec).includes('secretRef');

redaction('a field without a decision is hidden at any depth and of any type', () => {
  const spec = {
    project: { deeper: hiddenFromBoth },
    replicas: [{ deeper: hiddenFromBoth }],
    source: { git: { branch: 'main', later: hiddenFromBoth }, later: { branch: hiddenFromBoth } },
    resources: { requests: { cpu: { deeper: hiddenFromBoth } }, later: hiddenFromBoth },
    autoscaling: hiddenFromBoth,
    later: hiddenFromBoth,
  };
  const named = JSON.parse(`{"__proto__":{"project":"${hiddenFromBoth}"},"constructor":"${hiddenFromBoth}"}`) as object;
  for (const view of ['viewer', 'observer'] as const) {
    assert.not.match(JSON.stringify(withSpec('CoreApp', spec, view)), hiddenFromBoth);
    assert.equal(withSpec('CoreApp', named, view), {});
  }
  assert.is(copyOf({ a: 'viewer' }, 'text', 'viewer'), undefined);
  assert.equal(withSpec('CoreApp', { secretData: hiddenFromBoth }, 'whole'), { secretData: undefined });
});

redaction(
  'AUT-031 AUT-036 a move is shown without its hidden parameters, and a hidden one in the words of its table',
  () => {
    const move = { machine: 'build', from: 'Running', event: 'jobFailed', to: 'Failed' };
    const shown = (said: Message, of: Partial<typeof move> = {}, view: View = 'viewer') =>
      moveInWords({ ...move, ...of, ...said }, view);
    const waits = sentence('pod "{pod}" waits for {image}', { pod: toObservers('p-1'), image: hidden(hiddenFromBoth) });
    assert.is(shown(open('builder Job failed')), 'builder Job failed');
    assert.is(shown(waits), 'pod "…" waits for …');
    assert.is(shown(waits, {}, 'observer'), 'pod "p-1" waits for …');
    assert.is(shown(waits, {}, 'whole'), `pod "p-1" waits for ${hiddenFromBoth}`);
    assert.is(shown(closed('builder Job failed')), 'the Job failed');
    assert.is(shown(external(hiddenFromBoth)), 'the Job failed');
    assert.is(shown({ text: hiddenFromBoth }, { event: 'rebuildAsked', to: 'Pending' }), 'asked to build again');
    assert.is(shown({ text: hiddenFromBoth }, { machine: 'none', event: 'wentAway' }), 'went away');
    assert.is(shown({ text: hiddenFromBoth }, { machine: 'constructor', event: 'wentAway' }), 'went away');
  },
);

redaction('AUT-031 AUT-036 a condition is shown without its hidden parameters, or by its reason', () => {
  const reason = 'ReconcileError';
  const shown = ({ text: message, params }: Message) => messageInWords({ reason, message, params }, 'viewer');
  assert.is(
    shown(sentence('project "{project}" does not exist', { project: toViewers('demo') })),
    'project "demo" does not exist',
  );
  assert.is(
    shown(sentence('Git host connection "{name}" was not found', { name: hidden(hiddenFromBoth) })),
    'Git host connection "…" was not found',
  );
  assert.is(shown({ text: hiddenFromBoth }), 'reconcile error');
  assert.is(shown(nothing), '');
});

redaction('AUT-031 AUT-036 the reason of a failed build is shown as the move that recorded it', () => {
  const move = { machine: 'build', from: 'Running', event: 'jobFailed', to: 'Failed' };
  const [open1, shut] = [open('no container registry is set for builds'), external(`why: ${hiddenFromBoth}`)];
  const failed = (reason: string) =>
    failureInWords(
      reason,
      [
        { ...move, ...open1 },
        { ...move, ...shut },
      ],
      'observer',
    );
  assert.is(failed(open1.text), open1.text);
  assert.is(failed(shut.text), 'the Job failed');
  assert.is(failed(`Git host does not answer: ${hiddenFromBoth}`), 'failed');
  assert.is(failed(''), '');
});

redaction('facts are as visible as the fields they are read from; why one is unknown is hidden', () => {
  const known = (value: unknown) => ({ is: 'known' as const, value });
  const facts = {
    registry: known(hiddenFromBoth),
    connectionRef: known(hiddenFromBoth),
    connection: { is: 'unknown' as const, why: hiddenFromBoth },
    commit: known({ is: 'silent', why: hiddenFromBoth }),
    checks: known({
      is: 'found',
      value: [{ name: 'lint', status: 'completed', conclusion: null, later: hiddenFromBoth }],
    }),
    digest: { is: 'unknown' as const, why: hiddenFromBoth },
    job: { is: 'unasked' as const },
    log: known('waiting'),
    run: known(null),
    later: known(hiddenFromBoth),
  };
  const visible = {
    run: known(null),
    commit: known({ is: 'silent' }),
    checks: known({ is: 'found', value: [{ name: 'lint', status: 'completed', conclusion: null }] }),
    job: { is: 'unasked' },
    digest: { is: 'unknown', why: '' },
  };
  assert.equal(visibleFacts('build', facts, 'viewer'), visible);
  assert.equal(visibleFacts('build', facts, 'observer'), { ...visible, log: known('waiting') });
  assert.equal(visibleFacts('other', facts, 'observer'), {});
  assert.is(visibleFacts('build', facts, 'whole'), facts);
});

redaction.run();
