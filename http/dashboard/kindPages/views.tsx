import { Connection, Lifecycle, Metrics } from '../components/resource/lazyViews.ts';
import type { ResourceReading } from '../components/resource/reading.ts';
import type { ConnectionShape } from '../model/connection.ts';
import type { ResourceView } from './resourcePage.tsx';
import { resourcePath } from '../api.ts';

type View = ResourceView<ResourceReading>;

/** How programs reach a resource, which only admins read. */
export const connectionView = (shape?: ConnectionShape): View => ({
  name: 'connection',
  label: 'Connection',
  isOffered: (_, isAdmin) => isAdmin,
  show: (read, { of }) => (
    <Connection read={read} path={resourcePath(of, '/connection')} {...(shape ? { shape } : {})} />
  ),
});

/** What a resource used over time. */
export const metricsView: View = {
  name: 'metrics',
  label: 'Metrics',
  show: (_, { of }) => <Metrics path={resourcePath(of, '/metrics')} />,
};

/** The machines of a resource and their moves; `what` is the plural noun of its kind. */
export const lifecycleView = (what: string): View => ({
  name: 'lifecycle',
  label: 'Lifecycle',
  show: (_, reading) => <Lifecycle reading={reading} what={what} />,
});
