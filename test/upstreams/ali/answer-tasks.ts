import {
  asArray,
  asFlag,
  asNumber,
  asObject,
  asText,
  type JsonObject,
} from '../../../server/dialects/json.ts'
import { countTokens } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { editUsage } from '../write-frames.ts'
import { refuseNative } from './fail.ts'

const RERANK: Shape = {
  model: true,
  input: fields('query documents'),
  parameters: fields('top_n return_documents instruct'),
}
const DRAW: Shape = {
  model: true,
  input: { messages: [{ role: true, content: [fields('text image')] }] },
  parameters: fields('size n seed watermark prompt_extend negative_prompt'),
}
const TASK: Shape = {
  model: true,
  input: fields('prompt negative_prompt'),
  parameters: fields('size n seed watermark prompt_extend style'),
}

function checkShape({ body }: Call, shape: Shape): void {
  const unknown = findUnknown(body, shape)
  if (unknown !== undefined) refuseNative(`Unknown field ${unknown.join('.')}`)
  if (typeof body.model !== 'string') refuseNative('Required parameter "model" missing from request.')
  const size = asText(asObject(body.parameters)?.size)
  if (size !== undefined && !/^\d+\*\d+$/.test(size))
    refuseNative('size must be in the format of width*height')
}

export function checkRerank(call: Call): void {
  checkShape(call, RERANK)
  const { query, documents } = asObject(call.body.input) ?? {}
  if (typeof query !== 'string' || !asArray(documents).every(one => typeof one === 'string'))
    refuseNative('query and documents are texts')
}

export function answerRerank({ body }: Call, answer: Answer): Rendered {
  const input = asObject(body.input) ?? {}
  const { top_n, return_documents } = asObject(body.parameters) ?? {}
  const texts = asArray(input.documents).map(String)
  const results = texts
    .map((text, index) => ({
      index,
      relevance_score: text.includes(String(input.query)) ? 0.9 : 0.1,
      ...(asFlag(return_documents) && { document: { text } }),
    }))
    .sort((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, asNumber(top_n) ?? texts.length)
  const count = countTokens(`${input.query}${texts.join('')}`)
  const usage = editUsage({ total_tokens: count }, answer)
  return say({ output: { results }, ...(usage !== undefined && { usage }) }, count)
}

export function checkDraw(call: Call): void {
  checkShape(call, DRAW)
  if (call.seen.headers['x-dashscope-async'] !== undefined)
    refuseNative('current user api does not support asynchronous calls')
}

export function drawAtOnce({ body }: Call): Rendered {
  const count = asNumber(asObject(body.parameters)?.n) ?? 1
  const content = Array.from({ length: count }, (_, at) => ({ image: `https://oss.example/${at}.png` }))
  const choices = [{ finish_reason: 'stop', message: { role: 'assistant', content } }]
  return say({ output: { choices }, usage: { width: 1024, height: 1024, image_count: count } })
}

export function checkTask(call: Call): void {
  checkShape(call, TASK)
  if (call.seen.headers['x-dashscope-async'] !== 'enable')
    refuseNative('current user api does not support synchronous calls.')
  if (typeof asObject(call.body.input)?.prompt !== 'string') refuseNative('prompt is required')
}

/** The id of a task says how many pictures it makes, and what is left of it to wait for. */
export function promiseTask({ body }: Call): Rendered {
  const count = asNumber(asObject(body.parameters)?.n) ?? 1
  const fails = String(asObject(body.input)?.prompt).includes('fail')
  return say({ output: { task_status: 'PENDING', task_id: `${fails ? 'bad' : 'good'}-${count}` } })
}

export function tellTask({ params }: Call): Rendered {
  const task_id = params.id ?? ''
  const [kind, count] = task_id.split('-')
  if (kind === 'bad') {
    const message = 'Input data may contain inappropriate content.'
    return say({ output: { task_id, task_status: 'FAILED', code: 'DataInspectionFailed', message } })
  }
  const made = Array.from({ length: Number(count) }, (_, at) => ({ url: `https://oss.example/${at}.png` }))
  const failed = { code: 'InternalError.Timeout', message: 'An internal timeout error has occured.' }
  const output = { task_id, task_status: 'SUCCEEDED', results: [...made, failed] }
  return say({ output, usage: { image_count: made.length } })
}

function say(body: JsonObject, input = 0): Rendered {
  const text = JSON.stringify({ ...body, request_id: 'f1b2c3d4-0000-9000-8000-0123456789ab' })
  return { contentType: 'application/json', body: text, tally: { ...NO_TALLY, input } }
}
