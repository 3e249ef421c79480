type Ends = () => void;

const everyFew = (ms: number, tell: () => void): Ends => {
  const timer = setInterval(tell, ms);
  return () => clearInterval(timer);
};

/** Tells all who ask at the same moments, so that who keeps many waiting wakes once for all of them. */
export function createBeat(everyMs: number, repeat = everyFew): (tell: () => void) => Ends {
  const all = new Set<() => void>();
  let stop: Ends | null = null;
  return (tell) => {
    const told = () => tell();
    all.add(told);
    stop ??= repeat(everyMs, () => {
      for (const one of all) one();
    });
    return () => {
      all.delete(told);
      if (all.size > 0) return;
      stop?.();
      stop = null;
    };
  };
}
