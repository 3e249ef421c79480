import { setup } from 'xstate';

export type DnsProviderReadyEvent = {
  readonly type:
    | 'connected'
    | 'connectionSet'
    | 'connectionUnset'
    | 'credentialsRefused'
    | 'keysMissing'
    | 'piecesDue'
    | 'recordFailed'
    | 'routesFailed'
    | 'stayedAbsent'
    | 'tokenFailed'
    | 'tunnelFailed'
    | 'tunnelPublished';
};

/** What must hold while the condition is in a state. */
export type DnsProviderReadyEnsure = 'noTunnelAgent';

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = { publish: named };
export type DnsProviderReadyAction = keyof typeof actions;

/** What is found of a provider that is to be connected, whatever was found before. */
const found = {
  connectionUnset: { target: 'Absent' },
  keysMissing: { target: 'CredentialsIncomplete' },
  credentialsRefused: { target: 'CredentialsInvalid' },
  tunnelFailed: { target: 'TunnelError' },
  tokenFailed: { target: 'TunnelTokenError' },
  routesFailed: { target: 'TunnelConfigError' },
  recordFailed: { target: 'DNSError' },
  connected: { target: 'Connected' },
  tunnelPublished: { target: 'Ready' },
} as const;

/** The condition DnsProviderReady: the arrows of specs/tables/dnsProviderReady.md, no more. */
export const dnsProviderReady = setup({
  types: {
    events: {} as DnsProviderReadyEvent,
    meta: {} as { readonly ensures: readonly DnsProviderReadyEnsure[] },
  },
  actions,
}).createMachine({
  id: 'dnsProviderReady',
  initial: 'Absent',
  states: {
    Absent: {
      meta: { ensures: ['noTunnelAgent'] },
      on: {
        connectionSet: { target: 'Connecting' },
        stayedAbsent: { target: 'Absent' },
      },
    },
    Connecting: {
      meta: { ensures: [] },
      on: { ...found, piecesDue: { target: 'Connecting', actions: 'publish' } },
    },
    Connected: {
      meta: { ensures: [] },
      on: { ...found, piecesDue: { target: 'Connected', actions: 'publish' } },
    },
    Ready: {
      meta: { ensures: [] },
      on: { ...found, piecesDue: { target: 'Ready', actions: 'publish' } },
    },
    CredentialsIncomplete: {
      meta: { ensures: [] },
      on: { ...found, piecesDue: { target: 'CredentialsIncomplete', actions: 'publish' } },
    },
    CredentialsInvalid: {
      meta: { ensures: [] },
      on: { ...found, piecesDue: { target: 'CredentialsInvalid', actions: 'publish' } },
    },
    TunnelError: {
      meta: { ensures: [] },
      on: { ...found, piecesDue: { target: 'TunnelError', actions: 'publish' } },
    },
    TunnelTokenError: {
      meta: { ensures: [] },
      on: { ...found, piecesDue: { target: 'TunnelTokenError', actions: 'publish' } },
    },
    TunnelConfigError: {
      meta: { ensures: [] },
      on: { ...found, piecesDue: { target: 'TunnelConfigError', actions: 'publish' } },
    },
    DNSError: {
      meta: { ensures: [] },
      on: { ...found, piecesDue: { target: 'DNSError', actions: 'publish' } },
    },
  },
});

export type DnsProviderReadyState =
  | 'Absent'
  | 'Connecting'
  | 'Connected'
  | 'Ready'
  | 'CredentialsIncomplete'
  | 'CredentialsInvalid'
  | 'TunnelError'
  | 'TunnelTokenError'
  | 'TunnelConfigError'
  | 'DNSError';
