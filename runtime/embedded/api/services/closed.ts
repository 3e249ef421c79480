import { isJson, without } from '../json.ts';

/** A port that no node opens. */
export const closed = (port: unknown): unknown => (isJson(port) ? without(port, 'nodePort') : port);
