import { createServer } from 'node:http';

/** A pod's server for a measurement: a short answer, and a long one. */
const piece = Buffer.alloc(256 * 1_024, 'x');
const chunks = 64;

createServer((request, response) => {
  if (request.url !== '/bytes') return void response.end('hello');
  let left = chunks;
  const send = () => {
    while (left > 0) {
      left -= 1;
      if (!response.write(piece)) return void response.once('drain', send);
    }
    response.end();
  };
  return send();
}).listen(8_080, '10.128.0.1', () => process.send?.('listens'));
