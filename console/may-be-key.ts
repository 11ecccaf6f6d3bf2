const longRun = /[A-Za-z0-9]{16,}/
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/**
 * Whether a text that is searched for may be a key or a code: such a one stands in no address, for histories, proxies
 * and whoever looks over a shoulder read those. Names are words, and have no such runs of letters and digits.
 */
export function mayBeKey(text: string): boolean {
  if (text.startsWith('sk-') || text.startsWith('{') || uuid.test(text)) return true
  const [run = ''] = longRun.exec(text) ?? []
  return /\d/.test(run) && /[A-Za-z]/.test(run)
}
