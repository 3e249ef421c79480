import type { Read } from '../../../api.ts';
import { lazyPart } from '../../components/lazy.tsx';
import { ResourceChanges } from '../../components/resource/changes.tsx';
import { ResourceHead } from '../../components/resource/head.tsx';
import { Lifecycle, Metrics } from '../../components/resource/lazyViews.ts';
import { type NamedPlace, ResourcePage } from '../../components/resource/page.tsx';
import { addressOf } from '../../routes.ts';
import { api } from '../../api.ts';
import { detailOf } from '../../model/details.ts';
import { discardsOf, isDiscardable } from '../../model/discard.ts';
import { copiesOf, summaryOf } from '../../model/service.ts';
import { Overview } from './overview/overview.tsx';
import { type ServiceReading, useService } from './reading.ts';
import { viewOf, viewsFor } from './views.ts';

/** Views that bring more code than the page itself. */
const ServiceBuilds = lazyPart(async () => (await import('./builds.tsx')).ServiceBuilds);
const Deployments = lazyPart(async () => (await import('./deployments/deployments.tsx')).Deployments);
const Variables = lazyPart(async () => (await import('./variables.tsx')).Variables);
const ServiceSettings = lazyPart(async () => (await import('./settings/settings.tsx')).ServiceSettings);
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
          summaryOf={(read) => summaryOf(read, status.value, explanations)}
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
  const saved = { read, copies: copiesOf(reading.status.value), onSaved: reading.reload };
  switch (view) {
    case '':
      return <Overview read={read} reading={reading} />;
    case 'code':
      return <FunctionCode {...saved} />;
    case 'deployments':
      return <Deployments read={read} />;
    case 'builds':
      return <ServiceBuilds read={read} />;
    case 'variables':
      return <Variables {...saved} />;
    case 'logs':
      return <Logs read={read} />;
    case 'metrics':
      return <Metrics path={api.ofApp(read.resource.name, 'metrics')} />;
    case 'console':
      return <Console read={read} />;
    case 'lifecycle':
      return <Lifecycle reading={reading} what="services" />;
    case 'settings':
      return <ServiceSettings {...saved} />;
  }
}
