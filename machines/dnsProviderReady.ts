import { machineOf } from './machine.ts';

/** The findings about a requested provider, the same in every state. */
const found = {
  connectionUnset: { target: 'Absent', actions: 'forget' },
  keysMissing: { target: 'CredentialsIncomplete', actions: 'report' },
  credentialsRefused: { target: 'CredentialsInvalid', actions: 'report' },
  tunnelFailed: { target: 'TunnelError', actions: 'report' },
  tokenFailed: { target: 'TunnelTokenError', actions: 'report' },
  routesFailed: { target: 'TunnelConfigError', actions: 'report' },
  recordFailed: { target: 'DNSError', actions: 'report' },
  connected: { target: 'Connected', actions: 'report' },
  tunnelPublished: { target: 'Ready', actions: 'report' },
} as const;

/** The condition DnsProviderReady: the arrows of specs/tables/dnsProviderReady.md, and no others. */
export const dnsProviderReady = machineOf('dnsProviderReady', {
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
    // Nothing is published through a tunnel.
    Connected: {
      meta: { ensures: ['noTunnelAgent'] },
      on: {
        ...found,
        modeChanged: { target: 'Connecting' },
        piecesDue: { target: 'Connected', actions: 'publish' },
      },
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
