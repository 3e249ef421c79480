/** The Secret of core-system with the signing secrets of a project's webhooks, by their ids. */
export const webhookSecretOf = (project: string): string => `${project}-webhooks`;
