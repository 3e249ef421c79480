import { useInSight } from './useInSight.ts';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly label: string; readonly to: string; readonly isCurrent: boolean }[];
}

/** The views of a page as links in one line, which scrolls where there is little room: the current one is in sight. */
export function Tabs({ label, tabs }: TabsProps) {
  const line = useInSight(
    tabs.findIndex(({ isCurrent }) => isCurrent),
    tabs.length,
  );
  return (
    <nav ref={line} class="tabs" aria-label={label}>
      {tabs.map(({ label, to, isCurrent }) => (
        <a key={to} href={to} aria-current={isCurrent ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
