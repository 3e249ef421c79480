import { sharedSecretOf } from './shared.ts';
import { webhookSecretOf } from './webhooks.ts';

const named = [sharedSecretOf, webhookSecretOf];

/** The Secrets in core-system that requests write for a project, deleted with it. */
export const secretsOf = (project: string): readonly string[] => named.map((nameOf) => nameOf(project));

/** The possible projects of a Secret, by its name. */
export const projectsOfSecret = (secret: string): readonly string[] =>
  named
    .map((nameOf) => nameOf(''))
    .filter((suffix) => secret.length > suffix.length && secret.endsWith(suffix))
    .map((suffix) => secret.slice(0, -suffix.length));
