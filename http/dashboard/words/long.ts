/** To hide little of a text would cost more than it spares. */
const mostWhole = 360;

/** Whether a text is more than is read at a glance. */
export const isLong = (text: string): boolean => text.length > mostWhole;
