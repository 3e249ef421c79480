import type { KindColumn } from './kindPage.ts';

/** The columns of machines whose instances are not of a kind with columns of its own. */
export const machineColumns: Readonly<Record<string, readonly KindColumn[]>> = {
  webhookDelivery: [
    { name: 'event', label: 'Event', shorten: (event) => event.replace('deployment.', '') },
    { name: 'service', label: 'Service' },
    { name: 'webhook', label: 'Webhook' },
  ],
  pullRequestEnvironment: [{ name: 'pullRequest', label: 'Pull request' }],
  deploymentRecord: [{ name: 'app', label: 'Service' }],
  activeDeployment: [{ name: 'app', label: 'Service' }],
};
