import { Attempts } from '../../../../../http/dashboard/components/attempts.tsx';
import { Banner } from '../../../../../http/dashboard/components/banner/banner.tsx';
import { Command } from '../../../../../http/dashboard/components/copy.tsx';
import { Empty } from '../../../../../http/dashboard/components/empty.tsx';
import { StateChip } from '../../../../../http/dashboard/components/stateChip.tsx';
import { Timeline } from '../../../../../http/dashboard/components/timeline/timeline.tsx';
import { Ago, Countdown, Since, Spent } from '../../../../../http/dashboard/components/times.tsx';
import { instanceWords } from '../../../../../http/dashboard/pages/instance/text.ts';
import { ago, attempts, crash, crashedAttempt, explanation, loaded, moves, refused } from '../fixtures.ts';
import type { Stand } from '../stand.tsx';

const states = ['Pending', 'pending', 'Running', 'Ready', 'Failed', 'FailedBeforeJob', 'Draft', 'Stopped', 'Odd'];
const shownOf = (state: string) => (state === 'FailedBeforeJob' ? 'Failed' : state);
const long = 'the container ended with exit code 137 and is started again; '.repeat(33);
const all = { name: 'hello', items: moves };
const unreachable = { is: 'unreachable', error: 'The server does not answer' } as const;

const badge: Stand = {
  name: 'badge',
  states: [
    ['each look', () => states.map((state) => <StateChip key={state} state={state} shown={shownOf(state)} />)],
    ['second chips', () => <StateChip state="Failed" shown="Failed" also={['retrying 3', 'paused']} />],
    ['large', () => <StateChip state="Running" shown="Running" also={['paused']} large />],
  ],
};

const banner: Stand = {
  name: 'banner',
  states: [
    [
      'failed, with a hint and why',
      () => (
        <Banner
          state="FailedBeforeJob"
          shown="Failed"
          also={['retrying 3']}
          since={ago(46)}
          {...instanceWords({ explanation, moves, machine: undefined })}
          explanation={explanation}
          causes={{
            owner: { kind: 'CoreBuild', name: 'hello-build-4', project: 'demo', environment: 'production' },
            all: [refused],
          }}
        />
      ),
    ],
    [
      'an attempt, a deadline, nothing behind it',
      () => (
        <Banner
          state="Pending"
          sentence="Service is starting"
          attempt={{ n: 2, of: 5 }}
          due={{ label: 'Gives up', at: ago(-14) }}
        />
      ),
    ],
    [
      'a cause before the message',
      () => (
        <Banner
          state="Pending"
          sentence="Service failed to start"
          attempt={{ n: 2, of: 5 }}
          causes={{
            owner: { kind: 'CoreApp', name: 'payments', project: 'shop', environment: 'production' },
            all: [crash],
          }}
        />
      ),
    ],
    ['at rest', () => <Banner state="Ready" sentence="Service is running" notes={[{ text: '2 of 2 copies ready' }]} />],
    ['a long message', () => <Banner state="Failed" sentence={long} />],
    [
      'seen by a standby, for a viewer',
      () => {
        const seen = { ...explanation, facts: {}, nextCheckAt: null, observedAt: null, notes: [] };
        return (
          <Banner
            state="Running"
            {...instanceWords({ explanation: seen, moves: [], machine: undefined })}
            explanation={seen}
          />
        );
      },
    ],
  ],
};

const timeline: Stand = {
  name: 'timeline',
  states: [
    [
      'moves of two machines',
      () => <Timeline name="hello" transitions={loaded(all)} path="/moves" shownOf={shownOf} />,
    ],
    [
      'empty',
      () => <Timeline name="new" transitions={loaded({ name: 'new', items: [] })} path="/moves" shownOf={shownOf} />,
    ],
    [
      'stale',
      () => (
        <Timeline
          name="old"
          transitions={loaded({ ...all, items: moves.slice(0, 1) }, { failed: unreachable })}
          path="/moves"
          shownOf={shownOf}
        />
      ),
    ],
    [
      'not read',
      () => (
        <Timeline
          name="none"
          transitions={loaded<typeof all>(null, { failed: unreachable })}
          path="/moves"
          shownOf={shownOf}
        />
      ),
    ],
  ],
};

const attemptsStand: Stand = {
  name: 'attempts',
  states: [
    ['more than are kept', () => <Attempts attempts={attempts} />],
    ['succeeded, then crashed', () => <Attempts attempts={[crashedAttempt]} />],
    ['none', () => <Attempts attempts={[]} />],
  ],
};

const empty: Stand = {
  name: 'empty',
  states: [
    [
      'with an action and a command',
      () => (
        <Empty
          title="No service in production yet"
          text="A service runs an image, a repository or a function."
          command="core apps create web --image nginx --project shop --environment production"
        >
          <a class="button" href="#create">
            Create service
          </a>
        </Empty>
      ),
    ],
    ['words alone', () => <Empty title="No move yet" text="The first pass makes one." />],
  ],
};

const time: Stand = {
  name: 'time',
  states: [
    ['under a minute', () => <Since at={ago(12)} />],
    ['hours', () => <Since at={ago(4 * 3600 + 1200)} />],
    ['ago', () => <Ago at={ago(200)} />],
    ['counting down', () => <Countdown at={ago(-200)} />],
    ['counting down for long', () => <Countdown at={ago(-9 * 3600)} />],
    ['late', () => <Countdown at={ago(8)} />],
    ['spent', () => <Spent from={ago(500)} to={ago(300)} />],
    ['not stored', () => <Since at="" />],
  ],
};

const command: Stand = {
  name: 'command',
  states: [
    [
      'both',
      () => <Command what="the same" text="core status web" kubectl="kubectl get coreapp web -n core-system -o yaml" />,
    ],
    ['long', () => <Command what="the long one" text={`core apps create web --image ${'registry/'.repeat(30)}web`} />],
  ],
};

export const stateSamples: readonly Stand[] = [badge, banner, timeline, attemptsStand, empty, time, command];
