import type { Read } from '../../../api.ts';
import { lazyPart } from '../../parts/lazy.tsx';
import { ResourceChanges } from '../../parts/resource/changes.tsx';
import { ResourceHead } from '../../parts/resource/head.tsx';
import { Lifecycle, Metrics } from '../../parts/resource/lazyViews.ts';
import { type NamedPlace, ResourcePage } from '../../parts/resource/page.tsx';
import { addressOf } from '../../routes.ts';
import { api } from '../../api.ts';
import { detailOf } from '../../words/details.ts';
import { discardsOf, isDiscardable } from '../../words/discard.ts';
import { standingOf } from '../../words/service.ts';
import { Overview } from './overview.tsx';
import { type ServiceReading, useService } from './reading.ts';
import { viewOf, viewsFor } from './views.ts';

/** Views that bring more code than the page itself. */
const Deployments = lazyPart(async () => (await import('./deployments.tsx')).Deployments);
const ServiceBuilds = lazyPart(async () => (await import('./builds.tsx')).ServiceBuilds);
const Variables = lazyPart(async () => (await import('./variables.tsx')).Variables);
const ServiceSettings = lazyPart(async () => (await import('./settings.tsx')).ServiceSettings);
const FunctionCode = lazyPart(async () => (await import('./code/functionCode.tsx')).FunctionCode);

const Logs = lazyPart(async () => (await import('./logs.tsx')).Logs);
const Console = lazyPart(async () => (await import('./console/consoleView.tsx')).ConsoleView);

/** One service: what it is, why, and until when; what waits for a deploy; and its views. */
export function ServicePage({ name, view, ...place }: NamedPlace) {
  const reading = useService(name);
  const { resource, status, explanations } = reading;
  const current = viewOf(view);
  return (
    <ResourcePage
      {...place}
      reading={reading}
      view={view}
      current={current}
      views={viewsFor(resource.value ? detailOf(resource.value.resource, 'source') : '')}
      addressOf={addressOf.service}
      head={
        <ResourceHead
          reading={reading}
          standingOf={(read) => standingOf(read, status.value, explanations)}
          also={status.value?.sleeping === true ? ['asleep'] : []}
        />
      }
      changes={
        <ResourceChanges
          reading={reading}
          isDiscardable={isDiscardable}
          discardsOf={(items) => discardsOf(name, items)}
        />
      }
    >
      {(read) => <View key={current} view={current} read={read} reading={reading} />}
    </ResourcePage>
  );
}

interface ViewProps {
  readonly view: ReturnType<typeof viewOf>;
  readonly read: Read;
  readonly reading: ServiceReading;
}

function View({ view, read, reading }: ViewProps) {
  switch (view) {
    case '':
      return <Overview read={read} reading={reading} />;
    case 'code':
      return <FunctionCode read={read} onSaved={reading.reload} />;
    case 'deployments':
      return <Deployments read={read} />;
    case 'builds':
      return <ServiceBuilds read={read} />;
    case 'variables':
      return <Variables read={read} onSaved={reading.reload} />;
    case 'logs':
      return <Logs read={read} />;
    case 'metrics':
      return <Metrics path={api.ofApp(read.resource.name, 'metrics')} />;
    case 'console':
      return <Console read={read} />;
    case 'lifecycle':
      return <Lifecycle reading={reading} what="services" />;
    case 'settings':
      return <ServiceSettings read={read} onSaved={reading.reload} />;
  }
}
