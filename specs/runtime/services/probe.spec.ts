import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { httpsProbe } from '../../../runtime/services/dns/httpsProbe.ts';
import { dnsOver } from '../../../runtime/services/dns/resolver.ts';
import { type Certificates, issueCertificates } from '../../../runtime/embedded/certificates.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the probe of the dashboard');
const host = 'core.example.org';
const loopback = '127.0.0.1';
const run = Effect.runPromise;

/** A DNS server for one name: its IPv4 addresses, or the code of an error. */
async function serveNames(answer: readonly string[] | number) {
  const socket = createSocket('udp4');
  socket.on('message', (asked, { port, address }) => {
    const isA = asked.readUInt16BE(asked.length - 4) === 1 || asked.subarray(12).includes(Buffer.from([0, 0, 1, 0, 1]));
    const found = typeof answer === 'number' || !isA ? [] : answer;
    const end = asked.indexOf(0, 12) + 5;
    const head = Buffer.from(asked.subarray(0, end));
    head.writeUInt16BE(0x81_80 + (typeof answer === 'number' ? answer : 0), 2);
    head.writeUInt16BE(found.length, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    const records = found.map((one) =>
      Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...one.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([head, ...records]), port, address);
  });
  socket.bind(0, loopback);
  await once(socket, 'listening');
  return { server: `${loopback}:${socket.address().port}`, stop: () => socket.close() };
}

spec('a name resolves to all its addresses, and a missing address differs from a failing server', async () => {
  const resolved = async (answer: readonly string[] | number) => {
    const names = await serveNames(answer);
    const found = await run(dnsOver([names.server]).resolve(host));
    names.stop();
    return found;
  };
  assert.equal(await resolved(['203.0.113.9', '198.51.100.7']), {
    is: 'found',
    addresses: ['198.51.100.7', '203.0.113.9'],
  });
  assert.equal(await resolved([]), { is: 'found', addresses: [] });
  assert.equal(await resolved(3), { is: 'found', addresses: [] }, 'the name does not exist');
  assert.equal(await resolved(2), { is: 'failed', why: 'ESERVFAIL' });
});

/** What the probe says of a site on loopback, with the certificates that it shows and whether they are trusted. */
async function probedWith(
  { certificate: cert, key, ca }: Certificates,
  { listener, names, trusted = true }: { listener: RequestListener; names: string; trusted?: boolean },
) {
  const server = createServer({ cert, key }, listener);
  server.listen(0, loopback);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const found = await run(httpsProbe({ servers: [names], ...(trusted ? { ca } : {}) }).ask(`${host}:${port}`));
  server.closeAllConnections();
  server.close();
  return found.is === 'answers' ? 'answers' : found.why;
}

const marker: RequestListener = (request, response) =>
  void response.end(request.url === '/core-probe' ? '{"service":"core","ok":true}' : '');

spec('API-014 PLC-048 only the marker over a verified certificate is an answer', async () => {
  const certificates = await issueCertificates([host]);
  const names = await serveNames([loopback]);
  const probed = (listener: RequestListener, trusted = true) =>
    probedWith(certificates, { listener, names: names.server, trusted });
  const message = (status: number, body: string, headers = {}) =>
    probed((_, response) => {
      response.writeHead(status, headers);
      response.end(body);
    });
  assert.is(await probed(marker), 'answers');
  assert.is(await message(200, '<html>'), 'another site answers');
  assert.is(await message(200, '{"service":"other"}'), 'another site answers');
  assert.is(await message(302, '', { location: 'https://elsewhere.example/core-probe' }), 'it answers HTTP 302');
  assert.is(await message(404, ''), 'it answers HTTP 404');
  assert.match(await probed((_, response) => response.end('{"service":"core"}'), false), /SELF_SIGNED|UNABLE_TO/);
  const nobody = await run(httpsProbe({ servers: [names.server] }).ask(`${host}:1`));
  assert.equal(nobody, { is: 'silent', why: 'ECONNREFUSED' });
  names.stop();
});

/** Certificates that were issued at another time. */
async function issuedAt(time: number): Promise<Certificates> {
  const { now } = Date;
  Date.now = () => time;
  try {
    return await issueCertificates([host]);
  } finally {
    Date.now = now;
  }
}

spec('PLC-048 an expired certificate or one for another name is not accepted', async () => {
  const names = await serveNames([loopback]);
  const message = (certificates: Certificates) => probedWith(certificates, { listener: marker, names: names.server });
  assert.is(await message(await issuedAt(Date.parse('2001-01-01'))), 'CERT_HAS_EXPIRED');
  assert.is(await message(await issueCertificates(['elsewhere.example.org'])), 'ERR_TLS_CERT_ALTNAME_INVALID');
  names.stop();
});

spec.run();
