// Writes crds/gitops/: how GitOps tools read the health of Core's kinds.
import { writeFileSync } from 'node:fs';
import { gitopsFiles } from './gitops/files.ts';

for (const { name, text } of gitopsFiles) writeFileSync(new URL(`../crds/gitops/${name}`, import.meta.url), text);
