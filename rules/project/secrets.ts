import { sharedSecretOf } from './shared.ts';
import { webhookSecretOf } from './webhooks.ts';

const named = [sharedSecretOf, webhookSecretOf];

/** The Secrets of core-system that requests write for a project, and that go with it. */
export const secretsOf = (project: string): readonly string[] => named.map((nameOf) => nameOf(project));

/** The projects that a Secret may be of, by its name alone. */
export const projectsOfSecret = (secret: string): readonly string[] =>
  named
    .map((nameOf) => nameOf(''))
    .filter((suffix) => secret.length > suffix.length && secret.endsWith(suffix))
    .map((suffix) => secret.slice(0, -suffix.length));
