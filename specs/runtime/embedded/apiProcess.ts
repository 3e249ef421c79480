import { clusterOptions } from '../../../runtime/local/clusterOptions.ts';
import { startApi } from '../../../runtime/embedded/api/server.ts';

/** An API of its own process, which tells its parent where it is. */
const [, , dataDir = '', port = '0'] = process.argv;
const { url, caPem, token } = await startApi({ ...clusterOptions, dataDir, host: '127.0.0.1', port: Number(port) });
process.send?.({ url, caPem, token });
