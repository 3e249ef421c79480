/** Why an image was not built: the message is the last line of the builder's log. */
export class BuildFailure extends Error {}
