import { AppError } from '../../errors.ts'
import { type Outbound, readText } from '../../outbound/client.ts'

/** For the whole of it: to send eight megabytes over a poor line takes a while. */
const WITHIN_MS = 60_000
const LONGEST_ANSWER = 8192

interface Handed {
  readonly method: 'PUT' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly signal?: AbortSignal | undefined
}

/** Sends something to a place of the operator's. A redirect is an answer that did not take it, wherever it leads. */
export async function hand(outbound: Outbound, url: string | URL, handed: Handed): Promise<Response> {
  const { method, headers, body, signal } = handed
  const response = await outbound.fetch(url, {
    ...{ policy: 'operator', method, headers, body },
    ...(signal && { signal }),
    ...{ timeoutMs: WITHIN_MS, wholeMs: WITHIN_MS, maxBytes: LONGEST_ANSWER },
  })
  if (response.ok) {
    await response.body?.cancel()
    return response
  }
  const words = await readText(response, LONGEST_ANSWER).catch(() => '')
  throw new AppError('log.sink-refused', { detail: `HTTP ${response.status}${codeIn(words)}` })
}

/** The name of the fault, as S3 has one for each; the rest of an answer may repeat what was sent, keys and all. */
function codeIn(answer: string): string {
  const [, code] = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(answer) ?? []
  return code ? ` ${code}` : ''
}
