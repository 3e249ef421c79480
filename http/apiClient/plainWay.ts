import { Agent, request } from 'node:http';
import type { Way } from './send.ts';

/** The way to one installation without TLS: its connections are kept open between reads. */
export const plainWay = (proxy: URL | null): Way => ({ agent: new Agent({ keepAlive: true }), proxy, request });
