import { AppError } from '../../errors.ts'
import { mapStatus } from '../routing/map-status.ts'
import { readRetryAfter } from '../upstream/read-retry-after.ts'
import { hostsOf, scrubProblem, scrubWhole } from '../upstream/scrub.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { readSome } from '../upstream/upstream-call.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import type { ComposedPass } from './compose-pass.ts'
import { answerHeaders } from './pass-headers.ts'
import { isReadable } from './read-texts.ts'

/** An error as its API has said it, save keys and hosts: its clients know what it means. */
export class PassedRefusal extends UpstreamFailure {
  readonly #body: string | undefined
  readonly #head: ResponseInit

  constructor(
    failure: ConstructorParameters<typeof UpstreamFailure>[0],
    body: string | undefined,
    head: ResponseInit,
  ) {
    super(failure)
    this.#body = body
    this.#head = head
  }

  /** Undefined where its words cannot be handed on: then the caller gets ours. */
  response(): Response | undefined {
    return this.#body === undefined ? undefined : new Response(this.#body || null, this.#head)
  }
}

/** What an API answers that does not want to, from its first part; of what is no text nobody can take a key out. */
export async function readPassedRefusal(
  response: Response,
  { address, url, readProblem }: ComposedPass,
  { channel }: Attempt,
): Promise<PassedRefusal> {
  const { text, isWhole } = await readSome(response)
  const { headers } = response
  const type = headers.get('content-type')
  const status = mapStatus(channel.statusMapping, response.status)
  const read = readProblem(response.status, parse(text) ?? text, headers)
  const retryAfter = read.retryAfter ?? readRetryAfter(headers)
  const own = text === '' ? new AppError('upstream.status', { status: response.status }) : read.own
  const problem = { ...read, own, status, ...(retryAfter !== undefined && { retryAfter }) }
  const hosts = hostsOf(address)
  const isTold = isWhole && (text === '' || type === null || isReadable(type))
  return new PassedRefusal(
    { problem: scrubProblem(problem, channel, url) },
    isTold ? scrubWhole(text, channel, hosts) : undefined,
    { status, headers: answerHeaders(headers, channel, hosts) },
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
