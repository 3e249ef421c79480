import type { GitAnswer } from '../../../../rules/gitAnswer.ts';
import { connections, platformConfigs } from '../../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import type { World } from '../../../support/world.ts';
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
    prepare: (world: World) => void = (world) => putToken(world, null),
    without: 'nothing' | 'key' | 'platform' = 'nothing',
  ) =>
  (world: World) => {
    if (without !== 'platform') putPlatform(world);
    if (without !== 'key') putKey(world);
    prepare(world);
    putConnection(world, { installationID: 7 });
  };
const own =
  (prepare: (world: World) => void = nothing) =>
  (world: World) => {
    prepare(world);
    putConnection(world);
  };

const says =
  (answer: GitAnswer<never> | null) =>
  (world: World): void => {
    world.git.noToken = answer;
  };
const refuses = says({ is: 'refused', code: 403, status: '403 Forbidden' });
const isSilent = says({ is: 'silent', why: 'timeout' });
const gives = says(null);
const limits = (world: World) => says({ is: 'limited', until: world.now() + minuteMs })(world);
const both =
  (...acts: readonly ((world: World) => void)[]) =>
  (world: World) => {
    for (const act of acts) act(world);
  };

const dropSecret = ({ cluster }: World) => cluster.drop(secrets, names.secret);
const drop = ({ cluster }: World) => cluster.drop(connections, names.connection);

/** Makes an external change once the connection reports the reason. */
const once = (reason: string, text: string, edit: (world: World) => void): Act => ({
  text,
  when: (world) => reasonIn(world) === reason,
  edit,
});

/** Some time after a renewal attempt, and long before the next one. */
const betweenMs = 200_000;

/** It was renewed nevertheless, or the clock was set back: nobody waits for its expiry. */
const refusedOrLong = (world: World) =>
  reasonIn(world) === 'TokenRefused' || isFresh(secretIn(world), world.now(), 30 * minuteMs);

type Told = readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]];

const told: readonly Told[] = [
  ['a token that nobody renews', 'TokenReady', own((world) => putToken(world, 'token-of-somebody'))],
  ['no Secret', 'SecretMissing', own()],
  ['no token', 'TokenMissing', own((world) => putToken(world, null))],
  [
    'the Secret comes late',
    'TokenReady',
    own(),
    once('SecretMissing', 'the Secret comes', (world) => putToken(world, 'token-of-somebody')),
  ],
  [
    'the token comes late',
    'TokenReady',
    own((world) => putToken(world, null)),
    once('TokenMissing', 'the token comes', (world) => putToken(world, 'token-of-somebody')),
  ],
  [
    'the token is taken away',
    'TokenMissing',
    own((world) => putToken(world, 'token-of-somebody')),
    once('TokenReady', 'the token is taken away', (world) => putToken(world, null)),
  ],
  ['a token is got', 'TokenReady', renewed()],
  ['a token that lasts is left alone', 'TokenReady', renewed((world) => putRenewed(world, 40 * minuteMs))],
  ['a token near its end is renewed', 'TokenReady', renewed((world) => putRenewed(world, 7 * minuteMs))],
  ['a token that has ended is renewed', 'TokenReady', renewed((world) => putRenewed(world, -minuteMs))],
  ['a token of somebody is replaced', 'TokenReady', renewed((world) => putToken(world, 'token-of-somebody'))],
  ['the Git host refuses', 'TokenRefused', renewed(both((world) => putToken(world, null), refuses))],
  [
    'the Git host refuses, then heals',
    'TokenReady',
    renewed(both((world) => putToken(world, null), refuses)),
    once('TokenRefused', 'the Git host heals', gives),
  ],
  [
    'the Git host is silent, then answers',
    'TokenReady',
    renewed(both((world) => putToken(world, null), isSilent)),
    once('TokenRefused', 'the Git host answers', gives),
  ],
  [
    'the Git host limits, then gives',
    'TokenReady',
    renewed(both((world) => putToken(world, null), limits)),
    once('TokenRefused', 'the Git host gives', gives),
  ],
  [
    'the Git host refuses until the token has ended',
    'TokenReady',
    renewed(both((world) => putRenewed(world, soonMs), refuses)),
    {
      text: 'the Git host heals',
      when: refusedOrLong,
      edit: gives,
    },
  ],
  [
    'the token ends between two renewals that fail',
    'TokenReady',
    renewed(both((world) => putRenewed(world, betweenMs), refuses)),
    { text: 'the Git host heals', when: refusedOrLong, edit: gives },
  ],
  [
    'the Secret is replaced by hand',
    'TokenReady',
    renewed(),
    once('TokenReady', 'the Secret is replaced', (world) => putToken(world, 'token-of-somebody')),
  ],
  ['the Secret is deleted', 'SecretMissing', renewed(), once('TokenReady', 'the Secret is deleted', dropSecret)],
  [
    'the Secret is deleted and comes back',
    'TokenReady',
    renewed(),
    once('TokenReady', 'the Secret is deleted', dropSecret),
    once('SecretMissing', 'the Secret comes back', (world) => putToken(world, null)),
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
    once('TokenRefused', 'the application is named', (world) => putPlatform(world)),
  ],
  [
    "the application's key is taken away",
    'TokenReady',
    renewed((world) => putRenewed(world, soonMs)),
    once('TokenReady', 'the key is taken away', ({ cluster }) => cluster.drop(secrets, names.application)),
    { text: 'the key comes back', when: refusedOrLong, edit: putKey },
  ],
  [
    'nobody is to renew it any more',
    'TokenReady',
    renewed(),
    once('TokenReady', 'the installation is taken away', (world) => {
      const { installationID: _, ...spec } = connectionIn(world)?.spec ?? { project: '', secretRef: { name: '' } };
      drop(world);
      putConnection(world, spec);
    }),
  ],
  [
    'it is to be renewed from now on',
    'TokenReady',
    (world) => {
      putPlatform(world);
      putKey(world);
      own((under) => putToken(under, 'token-of-somebody'))(world);
    },
    once('TokenReady', 'the installation is named', (world) => putConnection(world, { installationID: 7 })),
  ],
  [
    'another Secret is named',
    'TokenReady',
    renewed(
      both(
        (world) => putToken(world, null),
        (world) => putToken(world, null, 'other-token'),
      ),
    ),
    once('TokenReady', 'another Secret is named', (world) =>
      putConnection(world, { secretRef: { name: 'other-token' } }),
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
      when: (world) => !connectionIn(world),
      edit: (world) => putConnection(world, { installationID: 7 }),
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
      edit: (world) => putPlatform(world),
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
