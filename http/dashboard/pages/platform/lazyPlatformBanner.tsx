import { lazyPart } from '../../components/lazy.tsx';

const bannerHeight = 150;

/** It brings what the pages of machines are made of, for which the settings do not wait. */
export const LazyPlatformBanner = lazyPart(
  async () => (await import('./platformBanner.tsx')).PlatformBanner,
  bannerHeight,
);
