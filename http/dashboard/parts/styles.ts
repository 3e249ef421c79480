const loaded = new Set<string>();

/** Loads the styles that a part of the dashboard alone needs, such as those of a library. */
export function loadStyles(href: string): void {
  if (loaded.has(href)) return;
  loaded.add(href);
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
}
