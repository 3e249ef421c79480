import { closed, open } from '../words.ts';

/** The Ready message of a resource that was given up. */
export const provisioningFailed = open(
  'Provisioning failed after repeated errors. Update settings or platform configuration, then save or redeploy to try again.',
);

/** The message after Retry was requested. */
export const retrying = closed('Retrying provisioning');
