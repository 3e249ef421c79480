import { json, startHost } from './host.ts';

// Run with an empty PATH: prints what every kind of request is answered.
const host = await startHost();
const answers = [
  await fetch(`${host.cloneUrl}/demo/hello.git/info/refs?service=git-upload-pack`),
  await fetch(`${host.cloneUrl}/demo/hello.git/info/refs?service=git-receive-pack`),
  await host.api('/repos/demo/hello/commits/main'),
];
const told = await Promise.all(
  answers.map(async (answer) => ({ status: answer.status, message: (await json(answer))['message'] })),
);
process.stdout.write(JSON.stringify(told));
await host.end();
