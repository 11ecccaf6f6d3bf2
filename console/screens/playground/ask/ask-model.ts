import { shellText } from '../../../locales/catalogue.ts'
import { translate } from '../../../text.ts'
import { playgroundText } from '../models/catalogue.ts'
import type { Answer, Usage } from '../talk/conversation.ts'
import { isOwnFailure } from './read-chunk.ts'
import type { ChatBody } from './request-body.ts'
import { ChatError, streamChat } from './stream-chat.ts'

/** Milliseconds between two drawings of a growing answer. */
const REDRAW = 33
/** Milliseconds within which a line that broke is one that its page has left behind. */
const LEAVING = 5000

let leftAt = Number.NEGATIVE_INFINITY
if (typeof window !== 'undefined')
  addEventListener('beforeunload', () => {
    leftAt = performance.now()
  })

/**
 * Streams one answer and tells its changes. Resolves, never rejects, with the id under which the books know it;
 * undefined where nothing can have been charged.
 */
export async function askModel(
  body: ChatBody & { readonly group: string },
  signal: AbortSignal,
  tell: (change: Partial<Answer>) => void,
): Promise<string | undefined> {
  const began = performance.now()
  let requestId: string | undefined
  let firstTokenMs: number | undefined
  let text = ''
  let reasoning = ''
  let usage: Usage | undefined
  let limited = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const redraw = (): void => {
    timer = undefined
    tell({ state: 'incomplete', text, reasoning, ...(firstTokenMs === undefined ? {} : { firstTokenMs }) })
  }
  const finish = (change: Partial<Answer>): void => {
    clearTimeout(timer)
    tell({
      text,
      reasoning,
      durationMs: performance.now() - began,
      ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
      ...(usage ? { usage } : {}),
      ...change,
    })
  }
  try {
    const heard = {
      onOpen(id: string) {
        requestId = id || undefined
        tell({ ...(requestId ? { requestId } : {}) })
      },
      onDelta(moreText: string, moreReasoning: string) {
        firstTokenMs ??= performance.now() - began
        text += moreText
        reasoning += moreReasoning
        timer ??= setTimeout(redraw, REDRAW)
      },
      onUsage(told: Usage) {
        usage = told
      },
      onLimited() {
        limited = true
      },
    }
    await streamChat(body, heard, signal)
    finish({ state: 'complete', ...(limited ? { limited } : {}) })
    return requestId
  } catch (error) {
    const isLeft = !(error instanceof ChatError) && performance.now() - leftAt < LEAVING
    if (signal.aborted || isLeft) finish({ state: 'complete', stopped: true })
    else finish({ state: 'error', error: explain(error) })
    // A call that was refused at once holds no money.
    const refused = error instanceof ChatError && error.status >= 400
    return refused ? undefined : requestId
  }
}

/** What a vendor said stays as it is; what stands around it is in the language of the page. */
function inOurWords({ message, data }: ChatError): string {
  const t = translate(playgroundText)
  const [, said = message, id] = /^(.*) \(request id: ([\w-]+)\)$/s.exec(message) ?? []
  const words = isOwnFailure(data) ? said : t('error.said', { words: said })
  return id === undefined ? words : t('error.id', { words, id })
}

function explain(error: unknown): NonNullable<Answer['error']> {
  const shell = translate(shellText)
  if (!(error instanceof ChatError)) return { message: shell('error.unreachable'), data: '' }
  const { status, code, data } = error
  if (status === 401) return { message: shell('error.loggedOut'), data: '', code: 'logged-out' }
  if (code === 'cut') return { message: translate(playgroundText)('answer.cut'), data: '', code }
  return { message: inOurWords(error), data, ...(code ? { code } : {}) }
}
