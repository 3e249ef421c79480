import type { Call } from '../call.ts';
import { type Json, listAt, textAt } from '../json.ts';
import { invalidValue } from '../schema/cause.ts';
import { invalid } from '../status.ts';
import { timestamp } from '../store/objects.ts';
import { type Authenticator, apiAudiences } from './authenticator.ts';
import { userInfo } from './user.ts';

/** `kubectl auth whoami`: whom the API takes the asker for. */
export const selfSubject = ({ caller }: Pick<Call, 'caller'>, review: Json): Json => ({
  kind: 'SelfSubjectReview',
  apiVersion: textAt(review, 'apiVersion'),
  metadata: { creationTimestamp: timestamp() },
  status: { userInfo: userInfo(caller.user) },
});

/** Whose token is this, and is it good? */
export function tokenReview(authenticator: Authenticator, review: Json): Json {
  const token = textAt(review, 'spec', 'token');
  if (token === '')
    throw invalid('authentication.k8s.io', 'TokenReview', '', [
      invalidValue('spec.token', '', 'token is required for TokenReview in authentication'),
    ]);
  const asked = listAt(review, 'spec', 'audiences').map(String);
  const verdict = authenticator.ofToken(token, asked.length > 0 ? asked : apiAudiences);
  if (verdict.is === 'good') {
    const { user, audiences } = verdict;
    return {
      ...review,
      metadata: { creationTimestamp: null },
      status: { authenticated: true, user: userInfo(user), audiences },
    };
  }
  const error = verdict.is === 'bad' ? `[invalid bearer token, ${verdict.why}]` : 'invalid bearer token';
  return { ...review, metadata: { creationTimestamp: null }, status: { user: {}, error } };
}
