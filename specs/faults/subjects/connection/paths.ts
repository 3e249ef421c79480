import type { GitAnswer } from '../../../../rules/gitAnswer.ts';
import { connections, platformConfigs } from '../../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Act, Path } from '../subject.ts';
import {
  connectionIn,
  isFresh,
  names,
  secretIn,
  putConnection,
  putKey,
  putPlatform,
  putRenewed,
  putToken,
  reasonIn,
} from './objects.ts';

const minuteMs = 60_000;
/** A renewal is retried several times within this time. */
const soonMs = 90_000;
const nothing = () => {};

/** A connection that the application renews, with all its dependencies except these. */
const renewed =
  (
    prepare: (environment: TestEnvironment) => void = (environment) => putToken(environment, null),
    without: 'nothing' | 'key' | 'platform' = 'nothing',
  ) =>
  (environment: TestEnvironment) => {
    if (without !== 'platform') putPlatform(environment);
    if (without !== 'key') putKey(environment);
    prepare(environment);
    putConnection(environment, { installationID: 7 });
  };
const own =
  (prepare: (environment: TestEnvironment) => void = nothing) =>
  (environment: TestEnvironment) => {
    prepare(environment);
    putConnection(environment);
  };

const message =
  (answer: GitAnswer<never> | null) =>
  (environment: TestEnvironment): void => {
    environment.git.noToken = answer;
  };
const refuses = message({ is: 'refused', code: 403, status: '403 Forbidden' });
const isSilent = message({ is: 'silent', why: 'timeout' });
const gives = message(null);
const limits = (environment: TestEnvironment) =>
  message({ is: 'limited', until: environment.now() + minuteMs })(environment);
const both =
  (...acts: readonly ((environment: TestEnvironment) => void)[]) =>
  (environment: TestEnvironment) => {
    for (const act of acts) act(environment);
  };

const dropSecret = ({ cluster }: TestEnvironment) => cluster.drop(secrets, names.secret);
const drop = ({ cluster }: TestEnvironment) => cluster.drop(connections, names.connection);

/** Makes an external change once the connection reports the reason. */
const once = (reason: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => reasonIn(environment) === reason,
  edit,
});

/** Some time after a renewal attempt, and long before the next one. */
const betweenMs = 200_000;

/** It was renewed nevertheless, or the clock was set back: nobody waits for its expiry. */
const refusedOrLong = (environment: TestEnvironment) =>
  reasonIn(environment) === 'TokenRefused' || isFresh(secretIn(environment), environment.now(), 30 * minuteMs);

type Told = readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]];

const told: readonly Told[] = [
  ['a token that nobody renews', 'TokenReady', own((environment) => putToken(environment, 'token-of-somebody'))],
  ['no Secret', 'SecretMissing', own()],
  ['no token', 'TokenMissing', own((environment) => putToken(environment, null))],
  [
    'the Secret comes late',
    'TokenReady',
    own(),
    once('SecretMissing', 'the Secret comes', (environment) => putToken(environment, 'token-of-somebody')),
  ],
  [
    'the token comes late',
    'TokenReady',
    own((environment) => putToken(environment, null)),
    once('TokenMissing', 'the token comes', (environment) => putToken(environment, 'token-of-somebody')),
  ],
  [
    'the token is taken away',
    'TokenMissing',
    own((environment) => putToken(environment, 'token-of-somebody')),
    once('TokenReady', 'the token is taken away', (environment) => putToken(environment, null)),
  ],
  ['a token is got', 'TokenReady', renewed()],
  ['a token that lasts is left alone', 'TokenReady', renewed((environment) => putRenewed(environment, 40 * minuteMs))],
  ['a token near its end is renewed', 'TokenReady', renewed((environment) => putRenewed(environment, 7 * minuteMs))],
  ['a token that has ended is renewed', 'TokenReady', renewed((environment) => putRenewed(environment, -minuteMs))],
  [
    'a token of somebody is replaced',
    'TokenReady',
    renewed((environment) => putToken(environment, 'token-of-somebody')),
  ],
  ['the Git host refuses', 'TokenRefused', renewed(both((environment) => putToken(environment, null), refuses))],
  [
    'the Git host refuses, then heals',
    'TokenReady',
    renewed(both((environment) => putToken(environment, null), refuses)),
    once('TokenRefused', 'the Git host heals', gives),
  ],
  [
    'the Git host is silent, then answers',
    'TokenReady',
    renewed(both((environment) => putToken(environment, null), isSilent)),
    once('TokenRefused', 'the Git host answers', gives),
  ],
  [
    'the Git host limits, then gives',
    'TokenReady',
    renewed(both((environment) => putToken(environment, null), limits)),
    once('TokenRefused', 'the Git host gives', gives),
  ],
  [
    'the Git host refuses until the token has ended',
    'TokenReady',
    renewed(both((environment) => putRenewed(environment, soonMs), refuses)),
    {
      text: 'the Git host heals',
      when: refusedOrLong,
      edit: gives,
    },
  ],
  [
    'the token ends between two renewals that fail',
    'TokenReady',
    renewed(both((environment) => putRenewed(environment, betweenMs), refuses)),
    { text: 'the Git host heals', when: refusedOrLong, edit: gives },
  ],
  [
    'the Secret is replaced by hand',
    'TokenReady',
    renewed(),
    once('TokenReady', 'the Secret is replaced', (environment) => putToken(environment, 'token-of-somebody')),
  ],
  ['the Secret is deleted', 'SecretMissing', renewed(), once('TokenReady', 'the Secret is deleted', dropSecret)],
  [
    'the Secret is deleted and comes back',
    'TokenReady',
    renewed(),
    once('TokenReady', 'the Secret is deleted', dropSecret),
    once('SecretMissing', 'the Secret comes back', (environment) => putToken(environment, null)),
  ],
  [
    "the application's key comes late",
    'TokenReady',
    renewed(undefined, 'key'),
    once('TokenRefused', 'the key comes', putKey),
  ],
  [
    'the platform names its application late',
    'TokenReady',
    renewed(undefined, 'platform'),
    once('TokenRefused', 'the application is named', (environment) => putPlatform(environment)),
  ],
  [
    "the application's key is taken away",
    'TokenReady',
    renewed((environment) => putRenewed(environment, soonMs)),
    once('TokenReady', 'the key is taken away', ({ cluster }) => cluster.drop(secrets, names.application)),
    { text: 'the key comes back', when: refusedOrLong, edit: putKey },
  ],
  [
    'nobody is to renew it any more',
    'TokenReady',
    renewed(),
    once('TokenReady', 'the installation is taken away', (environment) => {
      const { installationID: _, ...spec } = connectionIn(environment)?.spec ?? {
        project: '',
        secretRef: { name: '' },
      };
      drop(environment);
      putConnection(environment, spec);
    }),
  ],
  [
    'it is to be renewed from now on',
    'TokenReady',
    (environment) => {
      putPlatform(environment);
      putKey(environment);
      own((under) => putToken(under, 'token-of-somebody'))(environment);
    },
    once('TokenReady', 'the installation is named', (environment) => putConnection(environment, { installationID: 7 })),
  ],
  [
    'another Secret is named',
    'TokenReady',
    renewed(
      both(
        (environment) => putToken(environment, null),
        (environment) => putToken(environment, null, 'other-token'),
      ),
    ),
    once('TokenReady', 'another Secret is named', (environment) =>
      putConnection(environment, { secretRef: { name: 'other-token' } }),
    ),
  ],
  ['the connection is deleted', '', renewed(), once('TokenReady', 'the connection is deleted', drop)],
  [
    'the connection is created anew',
    'TokenReady',
    renewed(),
    once('TokenReady', 'the connection is deleted', drop),
    {
      text: 'the connection is created',
      when: (environment) => !connectionIn(environment),
      edit: (environment) => putConnection(environment, { installationID: 7 }),
    },
  ],
  [
    'the platform is removed and comes back',
    'TokenReady',
    renewed(),
    once('TokenReady', 'the platform is removed', ({ cluster }) => cluster.drop(platformConfigs, 'platform')),
    {
      text: 'the platform comes back',
      when: ({ cluster }) => cluster.all(platformConfigs).length === 0,
      edit: (environment) => putPlatform(environment),
    },
  ],
];

/** Tokens differ in every run, so the number of issued and stored tokens is not compared. */
const whichToken = (difference: string) =>
  /^Secret \S+\.(data\.token|metadata\.annotations\.\S+token-hash): /.test(difference);

/** A token that the Git host refused is asked for once more. */
const asksOnce: Path['mayWrite'] = ({ verb }) => verb === 'patch the status of';

/** The paths of a connection: every verdict, and every way out of it. */
export const connectionPaths: readonly Path[] = told.map(([name, end, given, ...script]) => ({
  name,
  given,
  script,
  actors: () => [],
  ends: [end],
  mayDiffer: whichToken,
  ...(end === 'TokenRefused' ? { mayWrite: asksOnce } : {}),
}));
