export function isWebAddress(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
}
