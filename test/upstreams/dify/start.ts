import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { composeReply, cutPieces, EMPTY_TURN, type Image, type Reply, type Turn } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import { countTally, type Tally } from '../tally.ts'
import {
  bearerOnly,
  type Call,
  type FakeUpstream,
  type Rendered,
  type Route,
  type UpstreamOptions,
} from '../upstream.ts'
import { dataFrame, editUsage } from '../write-frames.ts'
import { failDify, refuseDify } from './fail.ts'

const FILE = fields('type transfer_method url upload_file_id')
const COMMON: Shape = { ...fields('inputs response_mode user'), files: [FILE] }
const CHAT: Shape = { ...COMMON, ...fields('query conversation_id auto_generate_name') }
const TASK = { task_id: 't-1', message_id: 'm-1', conversation_id: 'c-1', created_at: 1_763_000_000 }
const RUN = { task_id: 't-1', workflow_run_id: 'r-1' }

/** An agent, an app that completes and a workflow, all with one key. */
export function startDify(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'app-0123456789abcdef' } = options
  return startUpstream(
    {
      name: 'Dify',
      key,
      keyHeaders: ['authorization'],
      authorize: bearerOnly(failDify),
      fail: failDify,
      routes: [
        post(/^\/v1\/chat-messages$/, CHAT, answerChat),
        post(/^\/v1\/completion-messages$/, COMMON, answerChat),
        post(/^\/v1\/workflows\/run$/, COMMON, answerWorkflow),
      ],
    },
    options,
  )
}

function post(path: RegExp, shape: Shape, answer: Route['answer']): Route {
  return { method: 'POST', path, takes: 'json', check: call => checkBody(call, shape), answer }
}

function checkBody({ body }: Call, shape: Shape): void {
  const unknown = findUnknown(body, shape)
  if (unknown !== undefined) refuseDify(`unknown field ${unknown.join('.')}`)
  if (asObject(body.inputs) === undefined) refuseDify('inputs is required')
  if (!asText(body.user)) refuseDify('Arg user must be provided.')
  if (body.response_mode !== 'streaming') refuseDify('Agent Chat App does not support blocking mode')
  if (!asText(body.query) && Object.keys(asObject(body.inputs) ?? {}).length === 0)
    refuseDify('query is required')
}

function readTurn({ body }: Call): Turn {
  const text = asText(body.query) ?? Object.values(asObject(body.inputs) ?? {}).join('')
  const images = asArray(body.files).map((file): Image => ({ url: String(asObject(file)?.url) }))
  return {
    ...EMPTY_TURN,
    stream: true,
    text,
    media: images.length,
    lastText: text.slice(text.lastIndexOf('\n\nUser: ') < 0 ? 0 : text.lastIndexOf('\n\nUser: ') + 8),
    lastImages: images,
  }
}

function compose(call: Call, answer: Answer): { reply: Reply; tally: Tally; pieces: string[] } {
  const turn = readTurn(call)
  const reply: Reply = { ...composeReply(turn), ...answer.reply }
  const tally = { ...countTally(turn, reply), cached: 0, reasoning: 0 }
  return { reply, tally, pieces: cutPieces(reply.text, answer.pieceChars) }
}

/** An agent repeats as a whole what it has said in pieces. */
function answerChat(call: Call, answer: Answer): Rendered {
  const { reply, tally, pieces } = compose(call, answer)
  const usage = editUsage(tokensOf(tally), answer)
  const metadata: JsonObject = usage === undefined ? {} : { usage }
  const isAgent = call.seen.path.endsWith('/chat-messages')
  const texts = pieces.map(piece =>
    dataFrame({ event: isAgent ? 'agent_message' : 'message', ...TASK, answer: piece }),
  )
  const thought = { event: 'agent_thought', ...TASK, position: 1, thought: reply.text, tool: '' }
  return stream(tally, texts, [
    'event: ping\n\n',
    ...texts,
    ...(isAgent ? [dataFrame(thought), dataFrame({ event: 'message', ...TASK, answer: reply.text })] : []),
    dataFrame({ event: 'message_end', ...TASK, metadata }),
  ])
}

/** Two of its nodes ask models; it tells of all tokens only. */
function answerWorkflow(call: Call, answer: Answer): Rendered {
  const { reply, tally, pieces } = compose(call, answer)
  const usage = editUsage(tokensOf(tally), answer)
  const texts = pieces.map(text => dataFrame({ event: 'text_chunk', ...RUN, data: { text } }))
  const node = {
    ...RUN,
    data: { node_type: 'llm', status: 'succeeded', outputs: { text: reply.text, usage } },
  }
  const data = {
    ...{ id: 'r-1', status: 'succeeded', outputs: { text: reply.text }, error: null },
    ...(usage !== undefined && { total_tokens: tally.input + tally.output }),
  }
  return stream(tally, texts, [
    dataFrame({ event: 'workflow_started', ...RUN, data: { id: 'r-1', inputs: {} } }),
    ...texts,
    dataFrame({ event: 'node_finished', ...node }),
    dataFrame({ event: 'workflow_finished', ...RUN, data }),
  ])
}

function tokensOf({ input, output }: Tally): JsonObject {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, currency: 'USD' }
}

function stream(tally: Tally, texts: readonly string[], frames: readonly string[]): Rendered {
  const errorFrame = dataFrame({ event: 'error', ...TASK, ...failDify('server-error').body })
  return {
    contentType: 'text/event-stream; charset=utf-8',
    frames,
    moreText: texts[0] ?? '',
    errorFrame,
    tally,
  }
}
