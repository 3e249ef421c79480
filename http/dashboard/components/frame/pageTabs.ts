/** A view of the page on screen. */
interface Tab {
  readonly label: string;
  readonly to: string;
  readonly open: () => void;
}

/** The views of the page on screen, in their order: every page shows them as the same bar of links. */
export const tabsOf = (page: ParentNode): readonly Tab[] =>
  [...page.querySelectorAll<HTMLAnchorElement>('main .tabs a')].map((link) => ({
    label: link.textContent.trim(),
    to: link.getAttribute('href') ?? '',
    open: () => link.click(),
  }));
