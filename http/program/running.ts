/** A running part that can be stopped. */
export interface Running {
  readonly stop: () => Promise<void>;
}
