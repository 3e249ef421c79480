import { startApi } from '../../runtime/embedded/api/server.ts';

/** The embedded API alone in a process, for its benchmark; told what to do by messages. */
const start = performance.now();
const [, , dataDir = ''] = process.argv;
const { url, caPem, token, stop } = await startApi({ dataDir, host: '127.0.0.1', port: 0 });
process.on('message', (asked) => {
  if (asked === 'rss') process.send?.(process.memoryUsage().rss);
  if (asked === 'stop') void stop().then(() => process.disconnect());
});
process.send?.({ url, caPem, token, readyMs: Math.round(performance.now() - start) });
