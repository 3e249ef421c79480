import type { CoreApp } from '../../../crds/coreApp.ts';

/** All annotations of an object end at 256 KiB; a part of it is for the other annotations. */
const snapshotAtMost = 240 * 1024;

/** Why the spec of a service could not be deployed: it is copied into an annotation. Null where it fits. */
export const unfit = ({ spec }: CoreApp): string | null =>
  Buffer.byteLength(JSON.stringify(spec)) > snapshotAtMost
    ? `the settings and plain variables of a service must be at most ${snapshotAtMost} bytes in all`
    : null;

/** Less than an annotation, so that a function can be deployed with its other settings. */
const codeAtMost = 120_000;

/** Why the code of a function is refused; null where it is short enough. */
export const codeTooLong = (code: string): string | null =>
  Buffer.byteLength(code) > codeAtMost ? `code must be at most ${codeAtMost} bytes` : null;
