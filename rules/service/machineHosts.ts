/** Names under this domain resolve to the local machine, without DNS and thus without a certificate. */
export const machineDomain = 'apps.localhost';

/** Whether a host is a local one of this machine. */
export const isOfMachine = (host: string): boolean => host.endsWith(`.${machineDomain}`);
