import type { InstanceRead } from '../../../api.ts';
import { Frame } from '../../components/frame.tsx';
import { NotFound } from '../../components/gone.tsx';
import { lazyPart } from '../../components/lazy.tsx';
import { Loaded } from '../../components/loaded.tsx';
import type { Place } from '../../routes.ts';
import { InstanceBanner } from './instanceBanner.tsx';
import { InstanceHead } from './instanceHead.tsx';
import { type Named, type Reading, useReading } from './reading.ts';
import { Standing } from './standing.tsx';
import { InstanceTabs, InstanceView } from './views.tsx';

const AboutObject = lazyPart(async () => (await import('./aboutObject.tsx')).AboutObject, 320);

interface InstancePageProps extends Named {
  /** The name of the view; an unknown name shows the overview. */
  readonly view: string;
  /** The environment that the page is in, where it is a page of a project. */
  readonly place?: Place;
}

/** One instance of any machine: its state and why, its moves, and the additions of its kind. */
export function InstancePage({ machine, id, view, place }: InstancePageProps) {
  const reading = useReading({ machine, id });
  const { value } = reading.instance;
  return (
    <Frame title={value ? `${value.shown}: ${value.name}` : id} {...(place ? { place } : {})}>
      <div class="stack">
        <InstanceHead reading={reading} />
        <Loaded
          of={{ ...reading.instance, reload: reading.reload }}
          height={600}
          gone={(error) => (
            <NotFound what="instance" machine={machine} name={id.slice(id.indexOf(':') + 1)} error={error} />
          )}
        >
          {(instance) => (
            <>
              <InstanceBanner reading={reading} instance={instance} />
              <InstanceTabs reading={reading} view={view} />
              <Shown reading={reading} instance={instance} view={view} />
            </>
          )}
        </Loaded>
      </div>
    </Frame>
  );
}

interface ShownProps {
  readonly reading: Reading;
  readonly instance: InstanceRead;
  readonly view: string;
}

function Shown({ reading, instance, view }: ShownProps) {
  const { page, input } = reading;
  const own = page?.views.find(({ name }) => name === view);
  if (own || view === 'json') return <InstanceView view={own ?? 'json'} reading={reading} instance={instance} />;
  return (
    <Standing
      reading={reading}
      instance={instance}
      aside={
        <>
          {input && page?.facts(input)}
          <AboutObject instance={instance} page={page} />
        </>
      }
    />
  );
}
