import { connect, createServer } from 'node:net';
import { startCloud } from '../../../runtime/local/cloud/server.ts';

/** The S3 and IAM of the embedded cloud in place of SeaweedFS: its arguments, its variables, its folder, its two ports. */
export async function serveObjects(words: readonly string[]): Promise<void> {
  const valueOf = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const [port, iamPort] = ['-s3.port', '-iam.port'].map((name) => Number(valueOf(name)));
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secret = '' } = process.env;
  await startCloud({
    dataDir: `${valueOf('-dir')}/cloud`,
    host: '0.0.0.0',
    port: port ?? 0,
    accounts: [{ account: '000000000000', accessKeyId, secret }],
    log: (message, fields) => void process.stdout.write(`${message} ${JSON.stringify(fields)}\n`),
  });
  createServer((from) => {
    const to = connect(port ?? 0, '127.0.0.1');
    from.pipe(to).pipe(from);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      one.on('error', () => other.destroy());
  }).listen(iamPort, '0.0.0.0');
}
