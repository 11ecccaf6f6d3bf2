import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { openaiRoutes } from '../openai/start.ts'
import { composeReply, cutPieces, EMPTY_TURN, type Turn } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import { countTally } from '../tally.ts'
import type { Call, FakeUpstream, Rendered, UpstreamOptions } from '../upstream.ts'
import { editUsage } from '../write-frames.ts'
import { checkToken } from './check-token.ts'
import { failChatglm, refuseChatglm } from './fail.ts'

const PATH = /^\/api\/paas\/v3\/model-api\/(?<model>chatglm_[a-z]+)\/(?<way>invoke|sse-invoke)$/
const TASK = '75931252186628016897601864755556524089'

/** Zhipu's third API, and beside it the fourth. */
export function startChatglm(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = '0123456789abcdef.fakeSecret0123456' } = options
  return startUpstream(
    {
      name: 'ChatGLM',
      key,
      keyHeaders: ['authorization'],
      authorize: checkToken,
      fail: failChatglm,
      routes: [
        { method: 'POST', path: PATH, takes: 'json', check: checkInvoke, answer: invoke },
        ...openaiRoutes('/api/paas/v4', true),
      ],
    },
    options,
  )
}

const BODY: Shape = {
  ...fields('temperature top_p request_id incremental return_type ref user_id'),
  prompt: [fields('role content')],
}

function checkInvoke({ body, params }: Call): void {
  const unknown = findUnknown(body, BODY)
  if (unknown !== undefined) refuseChatglm(`${unknown.join('.')} 参数非法`)
  if ((body.incremental === true) !== (params.way === 'sse-invoke')) refuseChatglm('incremental 参数非法')
  for (const [name, most] of [
    ['temperature', 1.001],
    ['top_p', 1],
  ] as const) {
    const value = body[name]
    if (value !== undefined && !(typeof value === 'number' && value > 0 && value < most))
      refuseChatglm(`${name} 参数非法`)
  }
  checkPrompt(asArray(body.prompt).map(one => asObject(one) ?? {}))
}

/** Questions at even places, the answers to them at odd ones; what follows a system text is no question. */
function checkPrompt(prompt: readonly JsonObject[]): void {
  if (prompt.length % 2 === 0) refuseChatglm('prompt 参数非法')
  for (const [at, { role, content }] of prompt.entries()) {
    if (typeof content !== 'string' || content === '') refuseChatglm('content 参数非法')
    const wanted = at % 2 === 0 ? 'user' : 'assistant'
    const isOfSystem = (at === 0 && role === 'system') || (at === 1 && prompt[0]?.role === 'system')
    if (role !== wanted && !isOfSystem) refuseChatglm('role 参数非法')
  }
}

function readTurn({ body, params }: Call): Turn {
  const texts = asArray(body.prompt).map(one => asText(asObject(one)?.content) ?? '')
  return {
    ...EMPTY_TURN,
    model: params.model ?? '',
    stream: params.way === 'sse-invoke',
    text: texts.join(''),
    lastText: texts.at(-1) ?? '',
  }
}

function invoke(call: Call, answer: Answer): Rendered {
  const turn = readTurn(call)
  const reply = { ...composeReply(turn), ...answer.reply }
  const tally = { ...countTally(turn, reply), cached: 0, reasoning: 0 }
  const { input, output } = tally
  const usage = editUsage(
    { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    answer,
  )
  const head = {
    request_id: TASK,
    task_id: TASK,
    task_status: 'SUCCESS',
    ...(usage !== undefined && { usage }),
  }
  if (!turn.stream) {
    const choices = [{ role: 'assistant', content: JSON.stringify(reply.text) }]
    const body = { code: 200, msg: '操作成功', data: { ...head, choices }, success: true }
    return { contentType: 'application/json;charset=UTF-8', body: JSON.stringify(body), tally }
  }
  const texts = cutPieces(reply.text, answer.pieceChars).map(piece => frame('add', piece))
  return {
    contentType: 'text/event-stream;charset=UTF-8',
    frames: [...texts, frame('finish', '', `meta:${JSON.stringify(head)}\n`)],
    moreText: texts[0] ?? '',
    errorFrame: frame('error', JSON.stringify(failChatglm('server-error').body)),
    tally,
  }
}

/** Nothing stands between the colon and the text, and a line end in it begins another line of data. */
function frame(event: string, data: string, more = ''): string {
  return `event:${event}\nid:${TASK}\ndata:${data.replaceAll('\n', '\ndata:')}\n${more}\n`
}
