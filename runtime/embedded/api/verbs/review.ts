import { type Answer, json } from '../answer.ts';
import type { AccountTokens } from '../authentication/accountTokens.ts';
import type { Authenticator } from '../authentication/authenticator.ts';
import { selfSubject, tokenReview } from '../authentication/reviews.ts';
import { requestToken } from '../authentication/tokenRequest.ts';
import { localSubjectAccess, selfSubjectAccess, selfSubjectRules, subjectAccess } from '../authorization/reviews.ts';
import { parseObject, receive } from '../body.ts';
import type { Call } from '../call.ts';
import type { Json } from '../json.ts';
import { groupVersion } from '../kinds/type.ts';
import { badRequest, methodNotAllowed, noSuchPath } from '../status.ts';

interface Judges {
  readonly authenticator: Authenticator;
  readonly tokens: AccountTokens;
}

const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' };

/** Answers a question that is asked by creating an object, and kept nowhere. */
export async function review(call: Call, judges: Judges): Promise<Answer> {
  const { request, type, subresource, name } = call;
  if (request.method !== 'POST' || (subresource === null && name !== null)) throw methodNotAllowed();
  const own = subresource === 'token' ? token : { apiVersion: groupVersion(type), kind: type.kind };
  const sent = { ...own, ...parseObject(await receive(call)) };
  if (sent.kind !== own.kind || sent.apiVersion !== own.apiVersion)
    throw badRequest(
      `${sent.apiVersion}, Kind=${sent.kind} cannot be handled as a ${own.apiVersion}, Kind=${own.kind}`,
    );
  return json(answered(call, judges, sent), 201);
}

function answered(call: Call, { authenticator, tokens }: Judges, asked: Json): Json {
  if (call.subresource === 'token') return requestToken(call, tokens, asked);
  const judge: Readonly<Record<string, () => Json>> = {
    SelfSubjectReview: () => selfSubject(call, asked),
    TokenReview: () => tokenReview(authenticator, asked),
    SelfSubjectAccessReview: () => selfSubjectAccess(call, asked),
    SubjectAccessReview: () => subjectAccess(call, asked),
    LocalSubjectAccessReview: () => localSubjectAccess(call, asked),
    SelfSubjectRulesReview: () => selfSubjectRules(call, asked),
  };
  const answer = judge[call.type.kind];
  if (!answer) throw noSuchPath();
  return answer();
}
