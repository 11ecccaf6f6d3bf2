/** The entries of a column that holds a comma-separated list. */
export function splitList(text: string): string[] {
  return text.split(',').flatMap(entry => entry.trim() || [])
}
