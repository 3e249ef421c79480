/** What a filter stands over: a table of rows, a log, or a list of links or of what opens. */
const rows = '[role="grid"], [role="log"], li a[href], td a[href], th a[href], summary';

/** Goes from a filter to the first row that it leaves; Enter opens that, as it opens any. */
export function toFirstRow(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const field = event.currentTarget;
  if (event.key !== 'ArrowDown' || event.isComposing) return;
  const all = field.closest('section, main')?.querySelectorAll<HTMLElement>(rows) ?? [];
  const first = [...all].find((row) => field.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING);
  if (!first) return;
  event.preventDefault();
  first.focus();
  // A table has one stop for the keyboard, and goes back to its first row as it does for the key.
  if (first.role === 'grid') first.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
}
