/** The live state of a service's sleep objects. */
export interface WakeState {
  /** The add-on knows the host of the service, and its route exists. */
  readonly routed: boolean;
  /** The hosts of its Ingress when that leads to the proxy; empty otherwise. */
  readonly led: readonly string[];
  /** The add-on scales it. */
  readonly scaled: boolean;
  /** Its scaler is terminating: it has no effect, and no other can be created. */
  readonly releasing: boolean;
  /** An autoscaler scales it: the add-on refuses such a service. */
  readonly autoscaled: boolean;
  /** It has a ready copy, or should have none. */
  readonly up: boolean;
}

/** The desired state of the sleep objects. */
export interface WakePlan {
  readonly routed: boolean;
  /** The hosts whose requests the add-on accepts. */
  readonly hosts: readonly string[];
  /** Whether the Ingress leads to the proxy. */
  readonly led: boolean;
  readonly scaled: boolean;
}

/** The plan of a service that never sleeps. */
export const neverSleeps: WakePlan = { routed: false, hosts: [], led: false, scaled: false };

/**
 * The next step of a service towards sleeping, or back. The add-on stops services without requests, so it scales only
 * while visitors use its proxy, and the proxy gets visitors only once it knows their host. On the way back visitors
 * stay with the proxy until a copy is ready, if it may still hold their requests.
 */
export function wakePlan(host: string | null, live: WakeState): WakePlan {
  const isLed = live.led.length > 0;
  if (host !== null)
    return {
      routed: true,
      hosts: hostsOf(host, live),
      led: live.routed || isLed,
      scaled: live.scaled || (live.routed && isLed && !live.autoscaled && !live.releasing),
    };
  const isHeld = isLed && live.routed;
  return { routed: isHeld, hosts: live.led, led: isHeld && (live.scaled || !live.up), scaled: false };
}

/** When the host changes, the former one is kept until the Ingress has the new one. */
const hostsOf = (host: string, { led }: WakeState): readonly string[] => [...new Set([host, ...led])];
