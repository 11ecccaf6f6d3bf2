import type { JsonObject } from '../../../server/dialects/json.ts'
import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { startUpstream } from '../start-upstream.ts'
import { type Call, type FakeUpstream, Refusal, type Route, type UpstreamOptions } from '../upstream.ts'
import { checkChat } from './check-chat.ts'
import { failOpenai } from './fail.ts'
import { readChatTurn } from './read-chat-turn.ts'
import { openaiRoutes } from './start.ts'
import { type ChatStyle, writeChat } from './write-chat.ts'

/** A vendor that speaks as OpenAI does, by where it differs. */
export interface Alike {
  readonly name: string
  readonly key: string
  /** What stands before its tasks. */
  readonly prefix: string
  /** Which tasks of OpenAI's it has besides chat. */
  readonly tasks: readonly string[]
  /** What it has at addresses of its own, or otherwise than OpenAI. */
  readonly routes?: readonly Route[]
  readonly style: ChatStyle
  readonly fail: (kind: FailureKind, message?: string) => Fixed
  /** Fields, at any depth, that it takes and OpenAI does not; fields of OpenAI's that it refuses. */
  readonly accepts?: readonly string[]
  readonly refuses?: readonly string[]
  /** What else of a chat it refuses, in words. */
  readonly findFault?: (body: JsonObject) => string | undefined
  readonly thinks?: (body: JsonObject) => boolean
  /** Another header by which the key is told apart. */
  readonly header?: readonly [name: string, value: string]
}

export function startAlike(alike: Alike, options: UpstreamOptions): Promise<FakeUpstream> {
  const { name, prefix, tasks, style, fail } = alike
  const key = options.key ?? alike.key
  const [header, value] = alike.header ?? []
  const isTask = ({ path }: Route): boolean => tasks.some(task => path.test(`${prefix}/${task}`))
  return startUpstream(
    {
      name,
      key,
      keyHeaders: ['authorization'],
      fail,
      authorize({ headers }) {
        const isKnown = header === undefined || headers[header] === value
        if (headers.authorization !== `Bearer ${key.split('|')[0]}` || !isKnown)
          throw new Refusal('the key is wrong', fail('bad-key'))
      },
      routes: [
        ...(alike.routes ?? []),
        {
          method: 'POST',
          path: new RegExp(`^${prefix}/(bots/)?chat/completions$`),
          takes: 'json',
          check: call => checkAlike(call, alike),
          answer: (call, answer) => writeChat(call, readChatTurn(call.body, alike.thinks), style, answer),
        },
        ...openaiRoutes(prefix).filter(isTask),
      ],
    },
    options,
  )
}

/** What OpenAI would refuse it refuses too, but for what was said; in words of its own. */
function checkAlike(call: Call, { accepts = [], refuses = [], findFault, fail }: Alike): void {
  const refuse = (message: string): never => {
    throw new Refusal(message, fail('bad-request', message))
  }
  const { body, options } = call
  if (options.models && !options.models.includes(String(body.model)))
    throw new Refusal('there is no such model', fail('no-model'))
  const refused = refuses.find(name => body[name] !== undefined && body[name] !== null)
  if (refused !== undefined) refuse(`${refused} is not supported`)
  const fault = findFault?.(body)
  if (fault !== undefined) refuse(fault)
  try {
    checkChat({ ...call, options: { ...options, accept: [...(options.accept ?? []), ...accepts] } })
  } catch (error) {
    if (error instanceof Refusal) refuse(error.message)
    throw error
  }
}

/** The status it comes with, the vendor's own word for it, and what it says. */
type Told = readonly [status: number, word: string, message: string]

/** What a vendor does not say otherwise has OpenAI's status and words, in its own form. */
export function tellFailures(
  told: Partial<Record<FailureKind, Told>>,
  write: (status: number, word: string, message: string) => JsonObject,
): Alike['fail'] {
  return (kind, message) => {
    const [status, word, usual] = told[kind] ?? usualFailure(kind)
    const fixed = { status, body: write(status, word, message ?? usual) }
    return askToWait(kind, fixed)
  }
}

function usualFailure(kind: FailureKind): Told {
  const { status } = failOpenai(kind)
  const word = status >= 500 ? 'server_error' : 'invalid_request_error'
  return [status, word, `The request failed: ${kind}.`]
}
