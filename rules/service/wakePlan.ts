/** What stands of the objects that let a service sleep. */
export interface WakeState {
  /** The add-on knows the host of the service, and the way to its proxy stands. */
  readonly routed: boolean;
  /** The hosts of its Ingress, where that leads to the proxy; empty where it does not. */
  readonly led: readonly string[];
  /** The add-on counts its copies. */
  readonly scaled: boolean;
  /** Its object is being deleted: nothing may rely on it, and no other can be made. */
  readonly releasing: boolean;
  /** An autoscaler counts them: the add-on refuses a service that has one. */
  readonly autoscaled: boolean;
  /** It has a copy that answers, or is to have none. */
  readonly up: boolean;
}

/** What is to stand. */
export interface WakePlan {
  readonly routed: boolean;
  /** The hosts for which the add-on takes requests. */
  readonly hosts: readonly string[];
  /** Whether visitors are led to the proxy. */
  readonly led: boolean;
  readonly scaled: boolean;
}

/** Of a service that never sleeps, and that nothing lets sleep. */
export const neverSleeps: WakePlan = { routed: false, hosts: [], led: false, scaled: false };

/**
 * The next step of a service towards sleeping, or back. The add-on stops what it sees no requests for: so it counts the
 * copies only while visitors come by its proxy, and the proxy takes none before it knows their host. On the way back
 * visitors stay with the proxy until a copy answers, if it still holds their requests.
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

/** Where the host changes, the former one is known until the Ingress has the new one. */
const hostsOf = (host: string, { led }: WakeState): readonly string[] => [...new Set([host, ...led])];
