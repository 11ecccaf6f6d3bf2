import { AppError } from '../../errors.ts'
import { type Outbound, type OutboundOptions, readText } from '../../outbound/client.ts'

export interface Message {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** What is wrong, by the body of an answer that says all is well. */
  readonly faultIn?: (answer: string) => string | undefined
}

type Policy = OutboundOptions['policy']

const ANSWER_MS = 8000
const LONGEST_ANSWER = 4096
/** Before each further try. */
const PAUSES_MS = [500, 3000]

/** Once. A redirect is an answer that did not take the message, wherever it leads. */
export async function deliver(outbound: Outbound, policy: Policy, message: Message): Promise<void> {
  const { url, method, headers, body, faultIn } = message
  const response = await outbound.fetch(url, {
    ...{ policy, method, headers },
    ...(body === undefined ? {} : { body }),
    ...{ timeoutMs: ANSWER_MS, wholeMs: ANSWER_MS, maxBytes: LONGEST_ANSWER },
  })
  const fault = response.ok && faultIn ? faultIn(await readAnswer(response)) : undefined
  if (!response.bodyUsed) await response.body?.cancel()
  if (!response.ok) {
    const { status } = response
    throw new AppError('notice.refused', { detail: `HTTP ${status}`, status })
  }
  if (fault !== undefined) throw new AppError('notice.refused', { detail: fault })
}

/** An answer too long or broken off says nothing. */
function readAnswer(response: Response): Promise<string> {
  return readText(response, LONGEST_ANSWER).catch(() => '')
}

/** Tries again what has not arrived, and only that: who took it and never answered would have it twice. */
export async function deliverPatiently(outbound: Outbound, policy: Policy, message: Message): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      return await deliver(outbound, policy, message)
    } catch (error) {
      if (!isWorthAnother(error)) throw error
    }
    await Bun.sleep(pause)
  }
  await deliver(outbound, policy, message)
}

function isWorthAnother(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  if (error.code === 'outbound.connect' || error.code === 'outbound.resolve') return true
  const status = Number(error.params.status ?? 0)
  return status === 429 || status >= 500
}

/** Why it failed, for the log: an address may be all the secret there is, so no more than this is said of it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'unknown'
  return error.code === 'notice.refused' ? `refused: ${error.params.detail}` : error.code
}
