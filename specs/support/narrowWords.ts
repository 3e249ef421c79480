import type { Page } from 'playwright-core';

/** Words of lists, with how much of them is in a line. */
const listsOf = 'li, td, th, dt, dd, [role="row"] > *, summary, .card-head > *, h1, h2';

/** A line of a list holds at least this much of a word. */
const leastLetters = 8;

/** The words of a page's lists that have a line for fewer than eight of their letters, with where they stand. */
export const narrowWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    ([selector, least]) => {
      const found = new Set<string>();
      for (const part of document.querySelectorAll(`main :is(${selector}), header :is(${selector}), nav a`)) {
        const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          const parent = node.parentElement;
          if (!parent?.checkVisibility({ visibilityProperty: true }) || parent.closest('.unseen, svg')) continue;
          for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/\S+/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
            // A word may be broken after a hyphen, wherever that is.
            const hyphens = word.split('-').length - 1;
            const isBroken = lines > Math.max(1, Math.ceil(word.length / least)) + hyphens;
            const cut =
              parent.closest<HTMLElement>('[role="gridcell"], .copyable code, .user-name, .chip span') ?? parent;
            const isCut =
              getComputedStyle(cut).overflowX !== 'visible' &&
              cut.scrollWidth > cut.clientWidth + 1 &&
              cut.clientWidth < least * 6;
            if (isBroken || isCut) found.add(`${part.tagName.toLowerCase()}.${part.className}: ${word}`);
          }
        }
      }
      return [...found];
    },
    [listsOf, leastLetters] as const,
  );
