import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { root } from './sources.ts';

const spec = suite('promises of the documents');
const textOf = (name: string) => readFileSync(`${root}/${name}`, 'utf8').replaceAll(/\s+/g, ' ');

spec('SEC-036 SECURITY.md leaves the surroundings to administrators and claims no certification', () => {
  const security = textOf('SECURITY.md');
  const around = 'The operating system, the network in front of the servers, the datastore and the connected accounts';
  assert.match(security, `${around} are the responsibility of their operators.`);
  assert.match(security, 'No security certification and no independent audit is claimed.');
  const claim = /\b(certified|compliant|accredited|ISO ?27001|SOC ?2|FedRAMP|HIPAA|PCI[ -]DSS)\b/i;
  const guides = ['crds/README.md', 'http/README.md', 'runtime/README.md'];
  for (const name of ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...guides])
    assert.not.match(textOf(name), claim, name);
});

spec.run();
