import type { Within } from './within.ts';
import { authorize, userArn } from './policy.ts';
import { refused, Refusal } from './refusal.ts';
import { type Key, type User, userId } from './state.ts';

/** The number of access keys that IAM allows per user. */
const keysAllowed = 2;
const userName = /^[\w+=,.@-]{1,64}$/;

export function usersIn(within: Within) {
  const { state, change, options } = within;
  const userFor = (caller: Key, name: string, action: string): User => {
    authorize(state, caller, action, userArn(caller.account, name));
    const user = state.users.get(userId(caller.account, name));
    if (!user) throw refused.noEntity(name);
    return user;
  };
  const keysOf = ({ account, name }: User): readonly Key[] =>
    [...state.keys.values()].filter((key) => key.account === account && key.user === name);

  return {
    makeUser: (caller: Key, name: string): void => {
      authorize(state, caller, 'iam:CreateUser', userArn(caller.account, name));
      if (!userName.test(name)) throw new Refusal(400, 'ValidationError', 'The user name is not valid');
      if (state.users.has(userId(caller.account, name)))
        throw new Refusal(409, 'EntityAlreadyExists', `The user ${name} already exists`);
      change({ is: 'userPut', account: caller.account, user: name });
    },

    putPolicy: (caller: Key, name: string, policy: { readonly name: string; readonly document: string }): void => {
      userFor(caller, name, 'iam:PutUserPolicy');
      if (!isDocument(policy.document))
        throw new Refusal(400, 'MalformedPolicyDocument', 'The policy is not a document');
      change({ is: 'policyPut', account: caller.account, user: name, ...policy });
    },

    removePolicy: (caller: Key, name: string, policy: string): void => {
      if (!userFor(caller, name, 'iam:DeleteUserPolicy').policies.has(policy)) throw refused.noEntity(policy);
      change({ is: 'policyPut', account: caller.account, user: name, name: policy, document: null });
    },

    accessKeys: (caller: Key, name: string): readonly Key[] => keysOf(userFor(caller, name, 'iam:ListAccessKeys')),

    issueKey: (caller: Key, name: string): Key => {
      const user = userFor(caller, name, 'iam:CreateAccessKey');
      if (keysOf(user).length >= keysAllowed)
        throw new Refusal(409, 'LimitExceeded', `Cannot exceed quota for AccessKeysPerUser: ${keysAllowed}`);
      const { account } = caller;
      const made = { id: `AKIA${options.random(16).toUpperCase()}`, secret: options.random(40) };
      const key: Key = { ...made, account, user: name, createdAt: options.now() };
      change({ is: 'keyIssued', key });
      return key;
    },

    removeKey: (caller: Key, name: string, id: string): void => {
      const user = userFor(caller, name, 'iam:DeleteAccessKey');
      if (!keysOf(user).some((key) => key.id === id)) throw refused.noEntity(id);
      change({ is: 'keyRemoved', id });
    },

    removeUser: (caller: Key, name: string): void => {
      const user = userFor(caller, name, 'iam:DeleteUser');
      if (keysOf(user).length > 0 || user.policies.size > 0)
        throw new Refusal(409, 'DeleteConflict', 'The user still has keys or policies');
      change({ is: 'userRemoved', account: caller.account, user: name });
    },
  };
}

function isDocument(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { readonly Statement?: unknown }).Statement === 'object';
  } catch {
    return false;
  }
}
