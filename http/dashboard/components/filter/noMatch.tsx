interface NoMatchProps {
  /** The noun of what is filtered: `service`. */
  readonly what: string;
  readonly onClear: () => void;
}

/** What a list says while its filter leaves out everything. */
export const NoMatch = ({ what, onClear }: NoMatchProps) => (
  <div class="empty">
    <p class="empty-title">No {what} matches</p>
    <button type="button" class="button" onClick={onClear}>
      Clear filters
    </button>
  </div>
);
