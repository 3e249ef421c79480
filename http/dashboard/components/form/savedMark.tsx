/** What became of a save, beside its button: read out as it changes, so it is there before it says anything. */
export const SavedMark = ({ words }: { readonly words: string }) => (
  <span class="muted small saved" role="status">
    {words}
  </span>
);
