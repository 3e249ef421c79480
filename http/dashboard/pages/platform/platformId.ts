/** The one object of the platform's settings, in each of its machines. */
export const platformId = 'coreplatformconfigs:platform';
