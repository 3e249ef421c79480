/** The text of anything thrown or failed with; an error without one is named, with what it is about if it says so. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'what' in error ? `${error.name}: ${String(error.what)}` : error.name;
}
