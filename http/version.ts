/** The tag of the release, set by the build. */
declare const CORE_RELEASE: string | undefined;

/** The version of this release; `dev` for any other build (CLI-111). */
export const version: string = typeof CORE_RELEASE === 'undefined' ? 'dev' : CORE_RELEASE;
