/** The snapshot of what is deployed is an annotation, and all annotations of an object end at 256 KiB. */
export const maxCode = 120_000;

export const codeTooLong = 'code must be at most 120000 bytes';

export const isTooLong = (code: string): boolean => Buffer.byteLength(code) > maxCode;
