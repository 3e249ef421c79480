interface DownloadTextProps {
  readonly text: () => string;
  readonly file: string;
}

/** Saves what the page has read as a file. */
export function DownloadText({ text, file }: DownloadTextProps) {
  const download = () => {
    const href = URL.createObjectURL(new Blob([text()], { type: 'text/plain' }));
    Object.assign(document.createElement('a'), { href, download: file }).click();
    URL.revokeObjectURL(href);
  };
  return (
    <button type="button" class="button button-small" onClick={download}>
      Download
    </button>
  );
}
