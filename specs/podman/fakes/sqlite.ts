import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';

const folder = '/rqlite/file/data';
const file = `${folder}/db.sqlite`;
const sqlite = (...args: readonly string[]) => execFileSync('sqlite3', ['-bail', ...args], { maxBuffer: 1e9 });

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Statements as rqlite takes them: a list, each alone or with its parameters, of which none are taken here. */
const statementsOf = (body: Buffer): readonly string[] =>
  (JSON.parse(body.toString()) as readonly (string | readonly [string])[]).map((one) =>
    typeof one === 'string' ? one : one[0],
  );

function query(statement: string) {
  const rows = JSON.parse(sqlite('-json', file, statement).toString() || '[]') as readonly object[];
  return { columns: Object.keys(rows[0] ?? {}), values: rows.map((row) => Object.values(row) as unknown[]) };
}

function execute(statement: string) {
  sqlite(file, statement);
  return {};
}

/** What cannot be done is an answer like any other. */
const results = (each: (statement: string) => object, statements: readonly string[]) =>
  JSON.stringify({
    results: statements.map((statement) => {
      try {
        return each(statement);
      } catch (why) {
        return { error: String(why) };
      }
    }),
  });

/** The file itself, in WAL mode. */
function backup(): Buffer {
  const copy = `${file}.copy`;
  sqlite(file, `.backup ${copy}`);
  sqlite(copy, 'PRAGMA journal_mode=wal');
  return readFileSync(copy);
}

async function answerTo(request: IncomingMessage): Promise<string | Buffer | null> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
  const asked = `${request.method} ${pathname}`;
  if (asked === 'GET /readyz') return '[+]node ok\n';
  if (asked === 'GET /db/query') return results(query, [searchParams.get('q') ?? '']);
  if (asked === 'GET /db/backup') return backup();
  const body = await bodyOf(request);
  if (asked === 'POST /db/query') return results(query, statementsOf(body));
  if (asked === 'POST /db/execute') return results(execute, statementsOf(body));
  if (asked !== 'POST /db/load') return null;
  writeFileSync(`${file}.new`, body);
  renameSync(`${file}.new`, file);
  return '{"results":[]}';
}

/** The routes of rqlite that Core and its Jobs use, over `sqlite3` on the volume. */
export async function serveSqlite(words: readonly string[]): Promise<void> {
  const address = words
    .find((word) => word.startsWith('-http-addr='))
    ?.split(':')
    .at(-1);
  mkdirSync(folder, { recursive: true });
  const server = createServer((request, response) => {
    answerTo(request).then(
      (answer) => response.writeHead(answer === null ? 404 : 200).end(answer ?? ''),
      (why: unknown) => response.writeHead(500).end(String(why)),
    );
  });
  await new Promise<void>((listening) => server.listen(Number(address), '0.0.0.0', listening));
}
