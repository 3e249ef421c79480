/** Whether an address may be shown as a link. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//.test(url);
