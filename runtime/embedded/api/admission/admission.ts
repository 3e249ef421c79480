import type { Stored } from '../../store.ts';
import { textAt } from '../json.ts';
import type { Registry } from '../kinds/registry.ts';
import type { ResourceType } from '../kinds/type.ts';
import { StatusError, forbidden, notFound } from '../status.ts';
import type { ApiStore } from '../store/store.ts';
import type { Attributes } from './attributes.ts';
import { namespaceOf } from './input.ts';
import { paramsOf } from './params.ts';
import { type Binding, type Denial, type Policy, compilePolicy, readBinding } from './policy.ts';
import { asVersion } from './resourceRules.ts';
import { checkWebhooks, type Webhook } from './webhooks.ts';

/** What must agree with a write before it is done. */
export interface Admission {
  /** Throws a StatusError for what a policy or a webhook denies; `attributes` is asked for only where one stands. */
  readonly check: (attributes: () => Attributes | null, warn: (text: string) => void) => void;
  readonly stop: () => void;
}

export const policies = 'admissionregistration.k8s.io/validatingadmissionpolicies';
export const bindings = 'admissionregistration.k8s.io/validatingadmissionpolicybindings';

/** A policy with its bindings; null where it does not compile. */
interface Hook {
  readonly policy: Policy | null;
  readonly bindings: readonly Binding[];
}

interface Refusal extends Denial {
  readonly policy: string;
  readonly binding: string;
}

/** Holds every write to the ValidatingAdmissionPolicies in the store, each compiled once for a version of it, and to webhooks. */
export function createAdmission(store: ApiStore, registry: Registry, webhooks: readonly Webhook[] = []): Admission {
  const compiled = new WeakMap<Stored, Policy | null>();
  const equivalentTypes = new WeakMap<ResourceType, readonly ResourceType[]>();
  let hooks: readonly Hook[] | null = null;
  const stop = store.onChange(({ bucket }) => {
    if (bucket === policies || bucket === bindings) hooks = null;
  });

  function policyOf(stored: Stored): Policy | null {
    const known = compiled.get(stored);
    if (known !== undefined) return known;
    const policy = compiledOrNull(stored);
    compiled.set(stored, policy);
    return policy;
  }

  function currentHooks(): readonly Hook[] {
    const bound = store.list(bindings).map(readBinding);
    return store
      .list(policies)
      .map((stored) => ({
        policy: policyOf(stored),
        bindings: bound.filter(({ policyName }) => policyName === stored.metadata.name),
      }))
      .filter((hook) => hook.bindings.length > 0);
  }

  function equivalents(type: ResourceType): readonly ResourceType[] {
    const known = equivalentTypes.get(type);
    if (known) return known;
    const found = registry.all().filter((one) => one.bucket === type.bucket && one !== type);
    equivalentTypes.set(type, found);
    return found;
  }

  const namespace = (name: string) => store.get({ bucket: '/namespaces', namespace: '', name });
  const around = { namespace, equivalents };

  function refusalsOf(
    { policy, bindings: all }: Hook,
    asked: Attributes,
    warn: (text: string) => void,
  ): readonly Refusal[] {
    const matched = policy?.matches(asked, around) ?? null;
    if (!policy || !matched) return [];
    return all
      .filter((binding) => binding.matches(asked, around) !== null)
      .flatMap((binding) => {
        const at = { policy: policy.name, binding: binding.name };
        const denials = denialsOf(policy, binding, asked, matched);
        if (denials.is === 'misconfigured')
          return policy.ignoresFailure
            ? []
            : [{ ...at, message: `failed to configure binding: ${denials.why}`, reason: '' }];
        if (binding.actions.includes('Warn')) denials.all.forEach(({ message }) => warn(warningOf(at, message)));
        return binding.actions.includes('Deny') ? denials.all.map((denial) => ({ ...denial, ...at })) : [];
      });
  }

  function denialsOf(policy: Policy, { paramRef }: Binding, asked: Attributes, matched: ResourceType): Denials {
    const own = namespaceOf(asked);
    const found = own === '' ? null : namespace(own);
    if (found === undefined) throw notFound({ group: '', plural: 'namespaces' }, own);
    try {
      const params = paramsOf(
        { store, registry },
        { paramKind: policy.paramKind, paramRef, namespace: asked.namespace },
      );
      const attributes = asVersion(asked, matched);
      const read = { attributes, matched, namespace: found };
      return { is: 'judged', all: params.flatMap((one) => policy.judge({ ...read, params: one })) };
    } catch (why) {
      return { is: 'misconfigured', why: why instanceof Error ? why.message : String(why) };
    }
  }

  return {
    check(attributes, warn) {
      hooks ??= currentHooks();
      if (hooks.length === 0 && webhooks.length === 0) return;
      const asked = attributes();
      if (asked === null || isExempt(asked)) return;
      const [first] = hooks.flatMap((hook) => refusalsOf(hook, asked, warn));
      if (first) throw refused(asked, first);
      const { type, name, object, oldObject: old } = asked;
      if (asked.subresource === '') checkWebhooks(webhooks, { type, name, object, old });
    },
    stop,
  };
}

type Denials =
  { readonly is: 'judged'; readonly all: readonly Denial[] } | { readonly is: 'misconfigured'; readonly why: string };

function compiledOrNull(stored: Stored): Policy | null {
  try {
    return compilePolicy(stored);
  } catch {
    // Refused when it is written: what stands here was written by an older release.
    return null;
  }
}

/** A policy that forbade to change policies could never be taken back. */
const isExempt = ({ type }: Attributes) => type.bucket === policies || type.bucket === bindings;

const warningOf = ({ policy, binding }: { readonly policy: string; readonly binding: string }, message: string) =>
  `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${message}`;

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

function refused({ type, name, object }: Attributes, { policy, binding, message, reason }: Refusal): StatusError {
  const text = `ValidatingAdmissionPolicy '${policy}' with binding '${binding}' denied request: ${message}`;
  const shown = name || textAt(object, 'metadata', 'name') || 'Unknown';
  const { message: whole, details = {} } = forbidden(type, shown, text).body;
  const why = reason === '' ? 'Invalid' : reason;
  return new StatusError(codes[why] ?? 422, why, whole ?? text, { ...details, causes: [{ message: text }] });
}
