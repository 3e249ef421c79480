// `npm run kinds -- v1.2.0`: keeps the kinds of a release in specs/releases/, and those of the two before it. Texts that
// only people read are left out.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const kept = 3;
const root = new URL('../../', import.meta.url);
const manifests = new URL('crds/manifests/', root);
const folder = new URL('specs/releases/', root);

/** Without the texts that describe fields; a field of that name is a schema. */
function withoutTexts(value) {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, one]) => name !== 'description' || typeof one !== 'string');
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutTexts(one)]));
}

const [tag = ''] = process.argv.slice(2);
if (!/^v\d+\.\d+\.\d+$/.test(tag)) {
  process.stderr.write(`"${tag}" is no tag such as v1.2.0\n`);
  process.exit(2);
}
const lines = readdirSync(manifests)
  .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  .toSorted()
  .map((name) => JSON.stringify(withoutTexts(parse(readFileSync(new URL(name, manifests), 'utf8')))));
writeFileSync(new URL(`${tag}.ndjson`, folder), `${lines.join('\n')}\n`);
const byAge = readdirSync(folder)
  .filter((name) => name.endsWith('.ndjson'))
  .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
for (const name of byAge.slice(0, -kept)) rmSync(new URL(name, folder));
