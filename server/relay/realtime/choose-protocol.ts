const PROTOCOL = 'realtime'
const KEY_PREFIX = 'openai-insecure-api-key.'
const BETA_PREFIX = 'openai-beta.realtime-'

/**
 * The header that answers a client's offer of subprotocols: `realtime` where it was offered, and never the one
 * that carries a key. Empty when nothing fits: without a header the server would repeat the first of the offer.
 */
export function answerProtocols(offer: string | null): Record<string, string> {
  const offered = listed(offer)
  if (offered.length === 0) return {}
  const chosen = offered.includes(PROTOCOL) ? PROTOCOL : offered.find(name => !name.startsWith(KEY_PREFIX))
  return { 'sec-websocket-protocol': chosen ?? '' }
}

/** Browsers can set no headers; what they put into the offer instead becomes the header it stands for. */
export function betaHeader(offer: string | null): Record<string, string> {
  const beta = listed(offer).find(name => name.startsWith(BETA_PREFIX))
  return beta ? { 'openai-beta': `realtime=${beta.slice(BETA_PREFIX.length)}` } : {}
}

function listed(offer: string | null): readonly string[] {
  return (offer ?? '').split(',').flatMap(name => name.trim() || [])
}
