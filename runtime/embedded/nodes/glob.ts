/** Tests texts against a pattern in which `*` stands for any characters, slashes included, and `?` for one. */
export function glob(pattern: string): (text: string) => boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  const matcher = new RegExp(`^${source}$`, 's');
  return (text) => matcher.test(text);
}
