import type { Secret } from '../../crds/builtIn.ts';

/** One key of a Secret as text; empty when it is absent. */
export const secretText = (secret: Secret | undefined, key: string): string =>
  Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');

/** All values of a Secret as text. */
export const secretValues = (secret: Secret | undefined): readonly string[] =>
  Object.keys(secret?.data ?? {}).map((key) => secretText(secret, key));
