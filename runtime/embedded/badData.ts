/**
 * What a cluster stands on cannot be used, the data directory or podman: said in one line for who runs the program; nothing
 * was changed.
 */
export class BadData extends Error {
  override readonly name = 'BadData';
}
