import { createHmac } from 'node:crypto'

export interface SparkSecret {
  readonly apiKey: string
  readonly apiSecret: string
}

/** The address of a WebSocket with its proof in the query. `at`: milliseconds since 1970. */
export function signUrl(url: string, key: SparkSecret, at: number): string {
  const { host, pathname } = new URL(url)
  const date = new Date(at).toUTCString()
  const signature = signLines(`host: ${host}\ndate: ${date}\nGET ${pathname} HTTP/1.1`, key.apiSecret)
  const proof = `api_key="${key.apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  const authorization = Buffer.from(proof).toString('base64')
  return `${url}?${new URLSearchParams({ authorization, date, host })}`
}

export function signLines(lines: string, secret: string): string {
  return createHmac('sha256', secret).update(lines).digest('base64')
}
