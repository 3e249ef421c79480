import type { CoreApp } from '../../../crds/coreApp.ts';
import { codeTooLong, isTooLong } from '../../../rules/function/code.ts';

/** All annotations of an object end at 256 KiB; a part of it is for the other annotations. */
const maxSnapshot = 240 * 1024;

/** Why the spec of a service could not be deployed: it is copied into an annotation. Null where it fits. */
export function unfit({ spec }: CoreApp): string | null {
  if (isTooLong(spec.source.function?.code ?? '')) return codeTooLong;
  return Buffer.byteLength(JSON.stringify(spec)) > maxSnapshot
    ? `the settings and plain variables of a service must be at most ${maxSnapshot} bytes in all`
    : null;
}
