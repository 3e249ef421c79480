import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { keptCertificates } from '../../../runtime/embedded/api/identity.ts';
import { apiHosts } from '../../../runtime/embedded/api/services/ranges.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('certificates of the embedded API');
const dataDir = mkdtempSync(join(tmpdir(), 'core-certificates-'));
spec.after(() => rmSync(dataDir, { recursive: true }));

spec('a certificate that lacks a name is reissued by the same authority', async () => {
  const first = await keptCertificates(dataDir, []);
  const second = await keptCertificates(dataDir, apiHosts);
  assert.is(second.ca, first.ca);
  const certificate = new X509Certificate(second.certificate);
  assert.ok(certificate.verify(new X509Certificate(first.ca).publicKey));
  assert.ok(certificate.checkIP('10.96.0.1'));
  for (const name of ['localhost', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'])
    assert.ok(certificate.checkHost(name), name);
  assert.not.ok(new X509Certificate(first.certificate).checkHost('kubernetes.default.svc'));
  assert.equal(await keptCertificates(dataDir, apiHosts), second, 'one that names all stays');
});

spec.run();
