import type { Read } from '../../../api.ts';
import { lazyPart } from '../../components/lazy.tsx';
import { ResourceChanges } from '../../components/resource/changes.tsx';
import { detailOf } from '../../model/details.ts';
import { discardsOf, isDiscardable } from '../../model/discard.ts';
import { copiesOf, summaryOf } from '../../model/service.ts';
import { Overview } from '../../pages/service/overview/overview.tsx';
import { type ServiceReading, useService } from '../../pages/service/reading.ts';
import { deployActions } from '../resourceActions.ts';
import { type ResourceKind, resourcePage } from '../resourcePage.tsx';
import { lifecycleView, metricsView } from '../views.tsx';

/** Views that bring more code than the page itself. */
const FunctionCode = lazyPart(async () => (await import('../../pages/service/code/functionCode.tsx')).FunctionCode);
const Deployments = lazyPart(async () => (await import('../../pages/service/deployments/deployments.tsx')).Deployments);
const ServiceBuilds = lazyPart(async () => (await import('../../pages/service/builds.tsx')).ServiceBuilds);
const Variables = lazyPart(async () => (await import('../../pages/service/variables.tsx')).Variables);
const Logs = lazyPart(async () => (await import('../../pages/service/logs.tsx')).Logs);
const Console = lazyPart(async () => (await import('../../pages/service/console/consoleView.tsx')).ConsoleView);
const ServiceSettings = lazyPart(
  async () => (await import('../../pages/service/settings/settings.tsx')).ServiceSettings,
);

/** Whether a service has one source; false while it is not read. */
const isFrom =
  (source: string) =>
  (read: Read | null): boolean =>
    read !== null && detailOf(read.resource, 'source') === source;

/** What views that change a service take, besides the service. */
const savedOf = ({ status, reload }: ServiceReading) => ({ copies: copiesOf(status.value), onSaved: reload });

/** A service, with what `core status` says of it. */
export const service: ResourceKind<ServiceReading> = {
  kind: 'CoreApp',
  use: useService,
  actions: deployActions,
  head: ({ status, explanations }) => ({
    summaryOf: (read) => summaryOf(read, status.value, explanations),
    also: status.value?.sleeping === true ? ['asleep'] : [],
  }),
  changes: (reading) => (
    <ResourceChanges
      reading={reading}
      isDiscardable={isDiscardable}
      discardsOf={(items) => discardsOf(reading.name, items)}
    />
  ),
  views: [
    { name: '', label: 'Overview', show: (read, reading) => <Overview read={read} reading={reading} /> },
    {
      name: 'code',
      label: 'Code',
      isOffered: isFrom('function'),
      show: (read, reading) => <FunctionCode read={read} {...savedOf(reading)} />,
    },
    { name: 'deployments', label: 'Deployments', show: (read) => <Deployments read={read} /> },
    { name: 'builds', label: 'Builds', isOffered: isFrom('git'), show: (read) => <ServiceBuilds read={read} /> },
    {
      name: 'variables',
      label: 'Variables',
      show: (read, reading) => <Variables read={read} {...savedOf(reading)} />,
    },
    { name: 'logs', label: 'Logs', show: (read) => <Logs read={read} /> },
    metricsView,
    { name: 'console', label: 'Console', show: (read) => <Console read={read} /> },
    lifecycleView('services'),
    {
      name: 'settings',
      label: 'Settings',
      show: (read, reading) => <ServiceSettings read={read} {...savedOf(reading)} />,
    },
  ],
};

export const ServicePage = resourcePage(service);
