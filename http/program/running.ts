/** A running part that can be stopped. */
export interface Running {
  readonly stop: () => Promise<void>;
  /**
   * Serves on for a moment, as one of several behind an address that may still lead here, and says that it is not ready.
   * Undefined where nobody else could serve.
   */
  readonly drain?: (() => Promise<void>) | undefined;
}
