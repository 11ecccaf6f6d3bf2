import type * as z from 'zod/mini'
import { AppError } from '../../../errors.ts'
import { log } from '../../../log.ts'
import { type OutboundOptions, readText } from '../../../outbound/client.ts'
import type { App } from '../../app.ts'

const WAIT_MS = 15_000
const MOST_BYTES = 256 * 1024

type Question = Pick<OutboundOptions, 'method' | 'headers' | 'body'>

/** Asks a third party about a sign-in. What it says is for the log; the caller learns only that it failed. */
export async function askProvider<T>(
  app: App,
  provider: string,
  url: string,
  question: Question,
  schema: z.ZodMiniType<T>,
): Promise<T> {
  const { status, text } = await ask(app, provider, url, question)
  const answer = schema.safeParse(parse(text))
  if (status === 200 && answer.success) return answer.data
  log.warn('a sign-in was not confirmed', { provider, status })
  throw new AppError(status >= 500 ? 'oauth.unreachable' : 'oauth.refused', { provider })
}

async function ask(app: App, provider: string, url: string, question: Question) {
  const limits = { timeoutMs: WAIT_MS, wholeMs: WAIT_MS, maxBytes: MOST_BYTES }
  try {
    const response = await app.outbound.fetch(url, { policy: 'operator', ...limits, ...question })
    return { status: response.status, text: await readText(response, MOST_BYTES) }
  } catch (error) {
    log.warn('a sign-in provider could not be reached', { provider, error })
    throw new AppError('oauth.unreachable', { provider }, error)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
