/** A variable of a service from another source: the object in its namespace and the key with its value. */
export interface Injected {
  readonly name: string;
  readonly from:
    | { readonly is: 'configMap'; readonly name: string; readonly key: string }
    | { readonly is: 'secret'; readonly name: string; readonly key: string }
    | { readonly is: 'value'; readonly value: string };
}

/** As an entry of a container's `env`. */
export function envOf({ name, from }: Injected) {
  if (from.is === 'value') return { name, value: from.value };
  const ref = { name: from.name, key: from.key };
  return { name, valueFrom: from.is === 'secret' ? { secretKeyRef: ref } : { configMapKeyRef: ref } };
}
