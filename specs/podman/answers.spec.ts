import { once } from 'node:events';
import { type Server, type AddressInfo, createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { startVisits } from '../../runtime/embedded/network/ingress/visits.ts';
import { suite } from '../support/suite.ts';

const spec = suite('invalid HTTP answers of copies');
const ip = '127.0.0.1';

/** What a visitor is told where one copy sends this and closes, and how often it was asked. */
async function toldWhere(said: string) {
  let asked = 0;
  const copy: Server = createServer((socket) => {
    asked += 1;
    socket.once('data', () => socket.end(said)).on('error', () => {});
  });
  copy.listen(0, ip);
  await once(copy, 'listening');
  const backends = [{ ip, port: (copy.address() as AddressInfo).port }];
  const visits = await startVisits({
    host: ip,
    port: 0,
    wayOf: () => ({ is: 'backends', backends, now: () => backends }),
  });
  const answer = await fetch(`http://${ip}:${visits.port}/cgi-bin/page?x=1`);
  const told = `${answer.status} ${await answer.text()}`;
  visits.stop();
  copy.close();
  return { told, asked };
}

spec('a bad answer of a copy is passed to the visitor without a second request', async () => {
  const badly = (why: string) => ({
    told: `502 A pod behind ${ip}/cgi-bin/page answered with what is not HTTP: ${why}.\n`,
    asked: 1,
  });
  assert.equal(
    await toldWhere('HTTP/1.0 200 OK\nContent-Type: text/plain\n\nwell'),
    badly('Missing expected CR after response line'),
  );
  assert.equal(await toldWhere('220 mail.example ESMTP\r\n'), badly('Expected HTTP/, RTSP/ or ICE/'));
});

spec('a visitor gets 502 when a copy closes the connection within its response headers', async () => {
  for (const said of ['', 'HTTP/1.1 200 OK\r\nContent-Ty'])
    assert.equal(await toldWhere(said), { told: `502 No pod behind ${ip}/cgi-bin/page answered.\n`, asked: 1 });
});

spec.run();
