/** The logo of the project. */
export const Brand = () => (
  <svg width="22" height="22" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="4" fill="var(--accent)" />
    <path
      d="M11 5.6A3.9 3.9 0 1 0 11 10.4"
      fill="none"
      stroke="var(--accent-ink)"
      stroke-width="2"
      stroke-linecap="round"
    />
  </svg>
);
