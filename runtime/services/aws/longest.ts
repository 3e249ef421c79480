import { pipeline, Readable, Transform } from 'node:stream';
import { CloudFailed } from '../cloud.ts';

/** The longest response that is read: a segment of a change log has 16 MB, a page of a list is shorter. */
const maxMegabytes = 64;
const maxBytes = maxMegabytes * 1_048_576;

/** The position of the middleware. */
export const beneathReaders = { step: 'deserialize', priority: 'low' } as const;

/** Bounds responses, which the SDK buffers whole, so that an endless one cannot fill the memory. */
export const boundAnswers =
  <Args, Answer extends { readonly response: unknown }>(next: (args: Args) => Promise<Answer>) =>
  async (args: Args): Promise<Answer> => {
    const answer = await next(args);
    const response = answer.response as { body?: unknown };
    if (response.body instanceof Readable) response.body = bounded(response.body);
    return answer;
  };

function bounded(body: Readable): Readable {
  let size = 0;
  const counted = new Transform({
    transform: (chunk: Buffer, _, passOn) => {
      size += chunk.length;
      if (size <= maxBytes) passOn(null, chunk);
      else passOn(tooLong());
    },
  });
  // Errors reach the reader of the stream.
  return pipeline(body, counted, () => {});
}

const tooLong = () =>
  new CloudFailed({ code: 'TooLong', status: null, message: `the answer is longer than ${maxMegabytes} MB` });
