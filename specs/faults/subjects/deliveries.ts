import { annotation } from '../../../crds/names.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { apps, everyKind } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { makeSender } from '../../../runtime/services/webhooks/sender.ts';
import { projectIn, projectName, putProject } from '../../support/project.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { deliveriesOracle } from './deliveries/oracle.ts';
import { appIn, stateIn, statusIs, webhook } from './deliveries/objects.ts';
import { deliveryPaths } from './deliveries/paths.ts';
import type { FaultSubject } from './subject.ts';

const webhooksAre =
  (webhooks: readonly (typeof webhook | { readonly id: string })[]) => (environment: TestEnvironment) => {
    if (projectIn(environment)) putProject(environment, { webhooks: webhooks as never });
  };

/** What users of kubectl may do to webhooks, their deliveries and their Secret. */
const userEdits: FaultSubject['userEdits'] = {
  'the webhook is disabled': webhooksAre([{ ...webhook, disabled: true } as never]),
  'the webhook is removed': webhooksAre([]),
  'the Secret is deleted': ({ cluster }) => cluster.drop(secrets, `${projectName}-webhooks`),
  'the list of deliveries is emptied': statusIs({ webhookDeliveries: null }),
  'the events are emptied': statusIs({ webhookEvents: null }),
  'what was announced is forgotten': statusIs({ announcedDeploys: null }),
  'the service is deleted': (environment) => {
    if (appIn(environment)) environment.cluster.drop(apps, 'web');
  },
  'the announcement is removed': (environment) => {
    const app = appIn(environment);
    if (!app) return;
    const { [annotation.announcedDeploy]: _, ...annotations } = app.metadata.annotations ?? {};
    environment.cluster.put(apps, { ...app, metadata: { ...app.metadata, annotations } });
  },
};

let processes = 0;

/** Deliveries of webhooks: announced, claimed by passes, sent by the process that claimed them. */
export const deliveriesSubject: FaultSubject = {
  name: 'webhookDelivery',
  tables: ['webhookDelivery', 'projectReady', 'provisionRetry'],
  // Each process claims in a name of its own.
  controllers: () => [projectController({ sender: makeSender(`process-${++processes}`) })],
  alsoSeen: everyKind,
  paths: deliveryPaths,
  state: stateIn,
  userEdits,
  oracle: deliveriesOracle,
};
