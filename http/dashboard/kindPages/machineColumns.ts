import type { KindColumn } from './kindPage.ts';

/** The columns of machines whose instances are not of a kind with columns of its own. */
export const machineColumns: Readonly<Record<string, readonly KindColumn[]>> = {
  webhookDelivery: [
    { name: 'event', word: 'Event', shorten: (event) => event.replace('deployment.', '') },
    { name: 'service', word: 'Service' },
    { name: 'webhook', word: 'Webhook' },
  ],
  pullRequestEnvironment: [{ name: 'pullRequest', word: 'Pull request' }],
  deploymentRecord: [{ name: 'app', word: 'Service' }],
  activeDeployment: [{ name: 'app', word: 'Service' }],
};
