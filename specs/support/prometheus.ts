import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

/** Why specs with a real Prometheus are skipped; null where it is installed. */
export const noPrometheus = (): string | null =>
  spawnSync('prometheus', ['--version']).status === 0 ? null : 'prometheus is not installed';

type Answers = (query: URLSearchParams, response: ServerResponse) => void;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

/** What Prometheus answers to a range query, with these values. */
export const matrix = (...values: readonly (readonly [number, string])[]) =>
  JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: [{ metric: {}, values }] } });

/** A server at the address of a Prometheus. */
export async function listenAsPrometheus(answers: Answers) {
  const asked: { readonly path: string; readonly query: URLSearchParams }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const query = new URLSearchParams(await bodyOf(request));
    asked.push({ path: `${request.method} ${request.url}`, query });
    answers(query, response);
  };
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A real Prometheus that scrapes a page each second. */
export async function startPrometheus(page: () => string) {
  const scraped = createServer((_, response) => void response.end(page()));
  await new Promise<void>((resolve) => scraped.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'core-prometheus-'));
  const target = `127.0.0.1:${(scraped.address() as AddressInfo).port}`;
  const job = { job_name: 'page', scrape_interval: '1s', static_configs: [{ targets: [target] }] };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify({ scrape_configs: [job] }));
  const args = ['--web.listen-address=127.0.0.1:0', `--storage.tsdb.path=${folder}/data`];
  const child: ChildProcess = spawn('prometheus', [`--config.file=${folder}/prometheus.yml`, ...args]);
  let said = '';
  child.stderr?.on('data', (part: Buffer) => (said += part.toString()));
  const address = () => /Listening on"? address=(127\.0\.0\.1:[1-9]\d*)/.exec(said)?.[1];
  await until(() => address() !== undefined && said.includes('ready to receive'), 'Prometheus is ready');
  return {
    url: `http://${address()}`,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await new Promise((resolve) => scraped.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
