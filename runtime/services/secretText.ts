import type { Secret } from '../../crds/builtIn.ts';

/** One key of a Secret as text; empty when it is absent. */
export const secretText = (secret: Secret | undefined, key: string): string =>
  Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');
