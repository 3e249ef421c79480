import type { CloudModel } from '../model.ts';
import { userArn } from '../policy.ts';
import { Refusal } from '../refusal.ts';
import type { Key } from '../state.ts';
import type { Xml } from './xml.ts';

export const iamNamespace = 'https://iam.amazonaws.com/doc/2010-05-08/';

type Fields = Readonly<Record<string, string>>;
type Answered = readonly (Xml | string | null)[] | null;

const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** What each action answers within its result; null where it has none. */
const actions: Readonly<Record<string, (model: CloudModel, caller: Key, fields: Fields) => Answered>> = {
  CreateUser: (model, caller, { UserName = '' }) => {
    model.makeUser(caller, UserName);
    return [['User', ...userOf(caller, UserName)]];
  },
  PutUserPolicy: (model, caller, { UserName = '', PolicyName = '', PolicyDocument = '' }) => {
    model.putPolicy(caller, UserName, { name: PolicyName, document: PolicyDocument });
    return null;
  },
  DeleteUserPolicy: (model, caller, { UserName = '', PolicyName = '' }) => {
    model.removePolicy(caller, UserName, PolicyName);
    return null;
  },
  ListAccessKeys: (model, caller, { UserName = '' }) => [
    [
      'AccessKeyMetadata',
      ...model
        .accessKeys(caller, UserName)
        .map(({ id, createdAt }): Xml => [
          'member',
          ['UserName', UserName],
          ['AccessKeyId', id],
          ['Status', 'Active'],
          ['CreateDate', time(createdAt)],
        ]),
    ],
    ['IsTruncated', 'false'],
  ],
  CreateAccessKey: (model, caller, { UserName = '' }) => {
    const { id, secret, createdAt } = model.issueKey(caller, UserName);
    return [
      [
        'AccessKey',
        ['UserName', UserName],
        ['AccessKeyId', id],
        ['Status', 'Active'],
        ['SecretAccessKey', secret],
        ['CreateDate', time(createdAt)],
      ],
    ];
  },
  DeleteAccessKey: (model, caller, { UserName = '', AccessKeyId = '' }) => {
    model.removeKey(caller, UserName, AccessKeyId);
    return null;
  },
  DeleteUser: (model, caller, { UserName = '' }) => {
    model.removeUser(caller, UserName);
    return null;
  },
};

const userOf = ({ account }: Key, name: string): readonly Xml[] => [
  ['Path', '/'],
  ['UserName', name],
  ['UserId', name],
  ['Arn', userArn(account, name)],
  ['CreateDate', time(0)],
];

/** Answers one request of the IAM API, which is a form. */
export function iamAnswer(model: CloudModel, caller: Key, body: string): Xml {
  const fields = Object.fromEntries(new URLSearchParams(body));
  const { Action = '' } = fields;
  const act = actions[Action];
  if (!act) throw new Refusal(400, 'InvalidAction', `The action ${Action} is not served here`);
  const result = act(model, caller, fields);
  const answered: readonly Xml[] = result === null ? [] : [[`${Action}Result`, ...result]];
  return [`${Action}Response`, ...answered, ['ResponseMetadata', ['RequestId', 'local']]];
}
