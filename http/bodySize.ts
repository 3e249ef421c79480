/** The largest body of a request in bytes, where its route allows no more. */
export const usualAtMost = 64 * 1024;
