import type { BuildRead, Explanation, StreamEvent, Transitions } from '../../../api.ts';
import { api } from '../../api.ts';
import { Frame } from '../../parts/frame.tsx';
import { Bones, Failed, Note } from '../../parts/note.tsx';
import { addressOf, type BuildView, buildViews } from '../../routes.ts';
import { type Loaded, useLoaded } from '../../store/loaded.ts';
import { useMachines } from '../../store/machines.ts';
import { mayReadSensitive } from '../../store/session.ts';
import { buildMachine } from './buildMachine.ts';
import { BuildHead } from './buildHead.tsx';
import { JsonView } from './jsonView.tsx';
import { LogView } from './logView.tsx';
import { Overview } from './overview.tsx';

const concerns = (name: string) => (event: StreamEvent) => {
  switch (event.event) {
    case 'move':
    case 'instance':
    case 'deleted':
      return event.data.name === name;
    case 'tick':
      return true;
    case 'hello':
    case 'reset':
      return false;
  }
};

/** Whether there is a build, or may still be. */
const isExpected = ({ value, failed }: Loaded<BuildRead>) => value !== null || failed === null;

interface BuildPageProps {
  readonly name: string;
  readonly view: BuildView;
}

/** One build: where it stands and why, what moved it, its log. */
export function BuildPage({ name, view }: BuildPageProps) {
  const build = useLoaded<BuildRead>(api.build(name), concerns(name));
  const explanation = useLoaded<Explanation>(api.explain(name), concerns(name));
  const transitions = useLoaded<Transitions>(api.transitions(name), concerns(name));
  const machine = useMachines().value?.items.find((item) => item.name === buildMachine) ?? null;
  const isGone = build.failed?.is === 'refused' && build.failed.status === 404;
  const reload = () => {
    build.reload();
    explanation.reload();
    transitions.reload();
  };
  return (
    <Frame title={build.value ? `${build.value.shown}: ${name}` : name}>
      <div class="stack">
        <BuildHead
          name={name}
          build={build.value}
          explanation={explanation.value}
          machine={machine}
          onDone={reload}
          isGone={isGone}
        />
        <Failed failed={build.failed} stale={build.value !== null} retry={reload} />
        {isExpected(build) && <Tabs name={name} view={view} />}
        {isExpected(build) && build.value === null && <Bones height={600} />}
        {build.value && view === 'overview' && (
          <Overview build={build.value} explanation={explanation} transitions={transitions} machine={machine} />
        )}
        {build.value && view === 'log' && <Log build={build.value} />}
        {build.value && view === 'json' && <JsonView build={build.value} />}
      </div>
    </Frame>
  );
}

const viewWords = { overview: 'Overview', log: 'Log', json: 'JSON' } as const;

const Log = ({ build }: { readonly build: BuildRead }) =>
  mayReadSensitive() ? <LogView build={build} /> : <Note tone="idle">Your role reads no logs.</Note>;

/** A log is for those alone who may read it (AUT-035). */
const viewsFor = (readsLogs: boolean) => buildViews.filter((view) => readsLogs || view !== 'log');

const Tabs = ({ name, view }: BuildPageProps) => (
  <nav class="tabs" aria-label="Views of the build">
    {viewsFor(mayReadSensitive()).map((other) => (
      <a key={other} href={addressOf.build(name, other)} aria-current={other === view ? 'page' : undefined}>
        {viewWords[other]}
      </a>
    ))}
  </nav>
);
