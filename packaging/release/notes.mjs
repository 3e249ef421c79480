// The section of CHANGELOG.md about one release.

/** The text below `## v1.2.0`, up to the next section; undefined where there is none. */
export function sectionOf(changelog, tag) {
  const lines = changelog.split('\n');
  const from = lines.indexOf(`## ${tag}`);
  if (from === -1) return undefined;
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith('## '));
  return lines
    .slice(from + 1, length === -1 ? undefined : from + 1 + length)
    .join('\n')
    .trim();
}
