import { hashOfName } from '../canonical.ts';

/** The names of what a service has in its namespace besides what bears its own name. */
export const configName = (app: string): string => `${app}-config`;
export const variablesName = (app: string): string => `${app}-variables`;
export const pullSecretName = (app: string): string => `${app}-pull`;
/** The Service that leads to the wake proxy. With a hash, because another service may be called `<app>-wake`. */
export const wakeName = (app: string): string => `${app}-wake-${hashOfName(app).slice(0, 10)}`;
export const tlsSecretName = (app: string): string => `${app}-tls`;
