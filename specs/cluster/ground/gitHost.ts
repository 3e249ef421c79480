// The Git host of this repository in the network of a cluster: gitHost.ts DIR ADDRESS PORT RECEIVER. It prints its application.
import { newGitApp } from '../../../runtime/gitHost/app.ts';
import { startGitHost } from '../../../runtime/gitHost/server.ts';

const [dataDir = '', host = '', port = '', receiver = ''] = process.argv.slice(2);
const app = await newGitApp(dataDir);
const webhookUrl = () => receiver;
const log = (message: string, fields: object) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
await startGitHost({ dataDir, host, port: Number(port), app, webhookUrl, log });
process.stdout.write(`${JSON.stringify(app)}\n`);
