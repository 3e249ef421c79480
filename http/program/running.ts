/** Something running that can be asked to stop. */
export interface Running {
  readonly stop: () => Promise<void>;
}
