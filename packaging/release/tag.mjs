/** Whether a text is the tag of a release, such as v1.2.0 or v1.2.0-rc.1. */
export const isTag = (text) => /^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(text);
