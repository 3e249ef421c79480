import { startApi } from './runtime/embedded/api/server.ts';
const t=Date.now();
const api = await startApi({ dataDir: '/tmp/k1/data', host: '127.0.0.1', port: 0 });
console.log(api.url, Date.now()-t);
process.on('SIGTERM', async () => { await api.stop(); console.log('stopped'); });
