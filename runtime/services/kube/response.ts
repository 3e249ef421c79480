import type { Dispatcher } from 'undici';

/** A response whose body is still to be read. */
export type Response = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

export type Body = Response['body'];
