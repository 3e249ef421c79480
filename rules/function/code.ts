/**
 * The largest code: the deployed snapshot is an annotation, and all annotations of an object are limited to 256 KiB.
 */
export const maxCode = 120_000;

export const codeTooLong = 'code must be at most 120000 bytes';

export const isTooLong = (code: string): boolean => Buffer.byteLength(code) > maxCode;
