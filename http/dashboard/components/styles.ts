import { link } from '../store/live.ts';

const loaded = new Set<string>();

/** Loads the styles that a part of the dashboard alone needs, such as those of a library. */
export function loadStyles(href: string): void {
  if (loaded.has(href)) return;
  loaded.add(href);
  const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  sheet.addEventListener('error', () => {
    sheet.remove();
    loaded.delete(href);
    onceBack(() => loadStyles(href));
  });
  document.head.append(sheet);
}

/** Calls back when the server is reached the next time. */
function onceBack(run: () => void): void {
  let isFirst = true;
  const stop = link.subscribe(({ is }) => {
    if (!isFirst && is === 'live') {
      stop();
      run();
    }
    isFirst = false;
  });
}
