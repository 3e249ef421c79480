/** The Secret in the environment that services read, which pages name too. */
export const bucketSecretName = (store: string): string => `${store}-bucket`;
