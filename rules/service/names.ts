import { hashOfName } from '../canonical.ts';

/** The names of a service's objects that differ from its own name. */
export const configName = (app: string): string => `${app}-config`;
export const variablesName = (app: string): string => `${app}-variables`;
export const pullSecretName = (app: string): string => `${app}-pull`;
/** The Service of the wake proxy. With a hash, because another service may be named `<app>-wake`. */
export const wakeName = (app: string): string => `${app}-wake-${hashOfName(app).slice(0, 10)}`;
export const tlsSecretName = (app: string): string => `${app}-tls`;
