/** A whole amount as typed; any below 1 is raised to 1, and what is no number is none. */
export function readAmount(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^-?\d{1,15}(\.\d*)?$/.test(trimmed)) return undefined
  return Math.max(1, Math.trunc(Number(trimmed)))
}
