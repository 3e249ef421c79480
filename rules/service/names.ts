/** The names of what a service has in its namespace besides what bears its own name. */
export const configName = (app: string): string => `${app}-config`;
export const variablesName = (app: string): string => `${app}-variables`;
export const pullSecretName = (app: string): string => `${app}-pull`;
export const tlsSecretName = (app: string): string => `${app}-tls`;
