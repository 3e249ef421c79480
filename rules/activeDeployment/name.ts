const suffix = '-active';

/** The name of the record of what runs for a service. */
export const activeName = (app: string): string => `${app}${suffix}`;

/** Whether a CoreDeployment is the record of what runs; the records of deploys end in a hyphen and five characters. */
export const isActive = (name: string): boolean => name.endsWith(suffix);

/** The service that an active record belongs to. */
export const appOfActive = (name: string): string => name.slice(0, -suffix.length);
