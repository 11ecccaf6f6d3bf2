const PATIENCE_MS = 10_000

/** `refused`: the page came by TLS, and its browser lets it ask nobody who does without. */
export type Latency = number | 'unreachable' | 'refused'

/**
 * How long an address takes to answer, in milliseconds. Whatever it answers will do: pages are not told by others
 * what it was, only that something came.
 */
export async function measureLatency(url: string): Promise<Latency> {
  const target = askedAt(url)
  try {
    // The first has to find the way and to shake hands; those of a program that calls often do not.
    await ask(target)
    const began = performance.now()
    await ask(target)
    return Math.round(performance.now() - began)
  } catch {
    return location.protocol === 'https:' && target.protocol === 'http:' ? 'refused' : 'unreachable'
  }
}

/** What is asked for at an address. */
export function askedAt(url: string): URL {
  return new URL('/api/status', url)
}

function ask(target: URL): Promise<Response> {
  return fetch(target, {
    method: 'HEAD',
    mode: 'no-cors',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
}
