import { EvaluationError, Opaque } from '../evaluate/values.ts';
import type { Functions } from './signature.ts';

/** What somebody would do. */
export interface Asked {
  readonly verb: string;
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface Decided {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Decides for the one who writes, or for the ServiceAccount that is named. */
export type Decide = (asked: Asked, account: { readonly namespace: string; readonly name: string } | null) => Decided;

abstract class Check extends Opaque {
  override equals(other: Opaque): boolean {
    return other === this;
  }
}

/** Asks what the one who writes may do. */
export class Authorizer extends Check {
  override readonly typeName = 'kubernetes.authorization.Authorizer';
  readonly decide: Decide;
  readonly account: Parameters<Decide>[1];
  constructor(decide: Decide, account: Parameters<Decide>[1] = null) {
    super();
    this.decide = decide;
    this.account = account;
  }
}

class PathCheck extends Check {
  override readonly typeName = 'kubernetes.authorization.PathCheck';
  readonly by: Authorizer;
  readonly path: string;
  constructor(by: Authorizer, path: string) {
    super();
    this.by = by;
    this.path = path;
  }
}

class GroupCheck extends Check {
  override readonly typeName = 'kubernetes.authorization.GroupCheck';
  readonly by: Authorizer;
  readonly group: string;
  constructor(by: Authorizer, group: string) {
    super();
    this.by = by;
    this.group = group;
  }
}

/** Asks about a resource. */
export class ResourceCheck extends Check {
  override readonly typeName = 'kubernetes.authorization.ResourceCheck';
  readonly by: Authorizer;
  readonly asked: Omit<Asked, 'verb'>;
  constructor(by: Authorizer, asked: Omit<Asked, 'verb'>) {
    super();
    this.by = by;
    this.asked = asked;
  }
  with(more: Partial<Asked>): ResourceCheck {
    return new ResourceCheck(this.by, { ...this.asked, ...more });
  }
}

class Decision extends Check {
  override readonly typeName = 'kubernetes.authorization.Decision';
  readonly decided: Decided;
  constructor(decided: Decided) {
    super();
    this.decided = decided;
  }
}

function named(text: string, what: string): string {
  if (text.trim() === '') throw new EvaluationError(`${what} must not be empty`);
  return text;
}

const account = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function asAccount({ decide }: Authorizer, namespace: string, name: string): Authorizer {
  if (!account.test(name)) throw new EvaluationError('Invalid service account name');
  if (!account.test(namespace) || namespace.includes('.'))
    throw new EvaluationError('Invalid service account namespace');
  return new Authorizer(decide, { namespace, name });
}

const decided = (by: Authorizer, asked: Asked) => new Decision(by.decide(asked, by.account));
const resource = 'kubernetes.authorization.ResourceCheck';
const authorizer = 'kubernetes.authorization.Authorizer';
const decision = 'kubernetes.authorization.Decision';
const same = (check: ResourceCheck) => check;

/** Functions that ask who may do what. */
export const authorization: Functions = {
  [`${authorizer}.path(string): kubernetes.authorization.PathCheck`]: (by: Authorizer, path: string) =>
    new PathCheck(by, named(path, 'path')),
  [`${authorizer}.group(string): kubernetes.authorization.GroupCheck`]: (by: Authorizer, group: string) =>
    new GroupCheck(by, group),
  [`${authorizer}.serviceAccount(string, string): ${authorizer}`]: asAccount,
  [`kubernetes.authorization.GroupCheck.resource(string): ${resource}`]: ({ by, group }: GroupCheck, of: string) =>
    new ResourceCheck(by, { group, resource: named(of, 'resource') }),
  [`${resource}.subresource(string): ${resource}`]: (check: ResourceCheck, subresource: string) =>
    check.with({ subresource }),
  [`${resource}.namespace(string): ${resource}`]: (check: ResourceCheck, namespace: string) =>
    check.with({ namespace }),
  [`${resource}.name(string): ${resource}`]: (check: ResourceCheck, name: string) => check.with({ name }),
  // RBAC knows no selectors.
  [`${resource}.fieldSelector(string): ${resource}`]: same,
  [`${resource}.labelSelector(string): ${resource}`]: same,
  [`kubernetes.authorization.PathCheck.check(string): ${decision}`]: ({ by, path }: PathCheck, verb: string) =>
    decided(by, { path, verb }),
  [`${resource}.check(string): ${decision}`]: ({ by, asked }: ResourceCheck, verb: string) =>
    decided(by, { ...asked, verb }),
  [`${decision}.errored(): bool`]: () => false,
  [`${decision}.error(): string`]: () => '',
  [`${decision}.allowed(): bool`]: ({ decided: found }: Decision) => found.allowed,
  [`${decision}.reason(): string`]: ({ decided: found }: Decision) => found.reason,
};
