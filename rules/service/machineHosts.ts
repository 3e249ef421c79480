/** Names under this one lead to the machine that they are asked on, without DNS and so without a certificate. */
export const machineDomain = 'apps.localhost';

/** Whether a host is one that a service has on the machine that runs it. */
export const isOfMachine = (host: string): boolean => host.endsWith(`.${machineDomain}`);
