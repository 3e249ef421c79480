import { closed, open } from '../words.ts';

/** What Ready says of a resource that was given up. */
export const provisioningFailed = open(
  'Provisioning failed after repeated errors. Update settings or platform configuration, then save or redeploy to try again.',
);

/** What is said when somebody asked for another try. */
export const retrying = closed('Retrying provisioning');
