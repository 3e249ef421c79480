import { type Sent, parseObject, receive } from '../body.ts';
import type { Call } from '../call.ts';
import { type Json, isJson, textAt } from '../json.ts';
import { goKind } from '../jsonText.ts';
import { duplicatesOf, inBody, reportDuplicates } from '../kinds/readable.ts';
import { readCustom } from '../kinds/readCustom.ts';
import { StatusError, badRequest } from '../status.ts';

const mostShown = 30;

/** The beginning of a body, as text where it begins as an object does. */
function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const text = body[0] === '{'.charCodeAt(0) ? body.toString() : body.toString('hex');
  return text.length > mostShown ? `${text.slice(0, mostShown)} ...` : text;
}

/** The object in the body of a request; of a declared kind it must say which kind it is. */
export async function decodedBody(call: Call): Promise<Json> {
  const sent = await receive(call);
  const object = decoded(call, sent);
  await call.pace.next(call.request);
  if (call.type.custom && call.subresource !== 'scale')
    return readCustom(call, object, inBody(call.type), duplicatesOf(call, sent));
  reportDuplicates(call, sent);
  return object;
}

function decoded({ type, subresource }: Call, sent: Sent): Json {
  const { bytes: body, mediaType } = sent;
  if (mediaType !== 'application/json') return parseObject(sent);
  const unrecognized = (why: string) =>
    badRequest(
      `the object provided is unrecognized (must be of type ${subresource === 'scale' ? 'Scale' : type.kind}): ${why} (${summary(body)})`,
    );
  const value = parsed(sent, (why) => unrecognized(`couldn't get version/kind; json parse error: ${why}`));
  if (type.custom === undefined || subresource === 'scale') return value;
  if (textAt(value, 'kind') === '') throw unrecognized(`Object 'Kind' is missing in '${body.toString().trim()}'`);
  return { apiVersion: '', ...value };
}

function parsed({ json }: Sent, refuse: (why: string) => StatusError): Json {
  const read = json();
  if (read.why !== undefined) throw refuse(read.why);
  const { value } = read;
  if (isJson(value)) return value;
  throw refuse(`json: cannot unmarshal ${goKind(value)} into Go value of type ${typeMeta}`);
}

/** What a reader of JSON says that looks only for version and kind. */
const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
