// The chart of a release.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

/**
 * Writes `core/`, the chart under the version of the release, into a folder: its images have the same tag.
 * @param {{ root: string, version: string, folder: string }} given the checkout, and a version such as 1.2.0
 */
export function writeChart({ root, version, folder }) {
  const chart = join(folder, 'core');
  cpSync(join(root, 'chart'), chart, { recursive: true });
  const file = join(chart, 'Chart.yaml');
  const described = parseDocument(readFileSync(file, 'utf8'));
  for (const field of ['version', 'appVersion']) described.set(field, version);
  writeFileSync(file, described.toString());
}
