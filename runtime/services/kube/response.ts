import type { Dispatcher } from 'undici';

/** A response whose body has not been read. */
export type Response = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

export type Body = Response['body'];
