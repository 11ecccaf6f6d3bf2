import type { JsonObject } from '../../server/dialects/json.ts'
import { fillSchema } from './fill-schema.ts'

/** What a request asks for, whatever dialect it came in. */
export interface Turn {
  readonly model: string
  readonly stream: boolean
  /** Every text the model reads, one after the other. */
  readonly text: string
  /** Pictures and files in the whole conversation. */
  readonly media: number
  readonly lastText: string
  readonly lastImages: readonly Image[]
  /** Results of tools in the last turn. */
  readonly results: readonly string[]
  readonly tools: readonly ToolOffer[]
  readonly choice: 'auto' | 'none' | 'required' | { readonly names: readonly string[] }
  readonly parallel: boolean
  readonly think: boolean
  readonly format: 'text' | 'json' | { readonly schema: JsonObject }
  readonly maxTokens: number | undefined
  readonly stop: readonly string[]
  readonly count: number
  readonly cacheMarks: { readonly minutes: number; readonly hour: number }
}

export type Image = { readonly mediaType: string; readonly bytes: number } | { readonly url: string }

export interface ToolOffer {
  readonly name: string
  readonly schema: JsonObject | undefined
}

/** What the model says, before a dialect words it. */
export interface Reply {
  readonly thinking: string
  /** Thoughts that the vendor keeps sealed, where its dialect has such. */
  readonly redacted?: boolean
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: JsonObject }[]
  readonly finish: 'stop' | 'length' | 'tools' | 'filter'
  /** The stop string that ended it. */
  readonly stoppedAt: string | undefined
}

export const EMPTY_TURN: Turn = {
  model: '',
  stream: false,
  text: '',
  media: 0,
  lastText: '',
  lastImages: [],
  results: [],
  tools: [],
  choice: 'auto',
  parallel: true,
  think: false,
  format: 'text',
  maxTokens: undefined,
  stop: [],
  count: 1,
  cacheMarks: { minutes: 0, hour: 0 },
}

const CHARS_PER_TOKEN = 4

/** The model of every fake: the same request always gets the same reply. */
export function composeReply(turn: Turn): Reply {
  const thinking = turn.think ? `Thinking about: ${turn.lastText.slice(0, 60)}` : ''
  const calls = turn.results.length > 0 ? [] : chooseCalls(turn)
  if (calls.length > 0) return { thinking, text: '', calls, finish: 'tools', stoppedAt: undefined }
  return limitReply(turn, { thinking, text: composeText(turn), calls, finish: 'stop', stoppedAt: undefined })
}

function chooseCalls(turn: Turn): Reply['calls'] {
  if (turn.choice === 'none') return []
  const allowed =
    typeof turn.choice === 'object'
      ? turn.tools.filter(tool => typeof turn.choice === 'object' && turn.choice.names.includes(tool.name))
      : turn.tools
  const [first] = allowed
  if (first === undefined) return []
  const both = turn.lastText.includes('call both')
  if (both && turn.parallel) return [first, allowed[1] ?? first].map(callOf)
  const named = allowed.find(tool => turn.lastText.includes(`call ${tool.name}`))
  if (named !== undefined) return [callOf(named)]
  return both || turn.choice !== 'auto' ? [callOf(first)] : []
}

function callOf(tool: ToolOffer): Reply['calls'][number] {
  return { name: tool.name, input: fillSchema(tool.schema) }
}

function composeText(turn: Turn): string {
  if (turn.results.length > 0) return `The tool said: ${turn.results.join(' | ')}`
  if (turn.format === 'json') return JSON.stringify({ answer: turn.lastText })
  if (turn.format !== 'text') return JSON.stringify(fillSchema(turn.format.schema))
  if (turn.lastImages.length > 0) return turn.lastImages.map(sayImage).join(', ')
  return `You said: ${turn.lastText}`
}

function sayImage(image: Image): string {
  return 'url' in image ? `saw image url ${image.url}` : `saw image ${image.mediaType} ${image.bytes} bytes`
}

function limitReply(turn: Turn, reply: Reply): Reply {
  const stops = turn.stop
    .filter(stop => stop !== '' && reply.text.includes(stop))
    .sort((a, b) => reply.text.indexOf(a) - reply.text.indexOf(b))
  const [stoppedAt] = stops
  const text = stoppedAt === undefined ? reply.text : reply.text.slice(0, reply.text.indexOf(stoppedAt))
  const room = (turn.maxTokens ?? Number.POSITIVE_INFINITY) * CHARS_PER_TOKEN
  if (reply.thinking.length + text.length <= room) return { ...reply, text, stoppedAt }
  const thinking = reply.thinking.slice(0, room)
  // Thinking fills whole tokens, so that what is left for text is whole tokens too.
  const left = room - countTokens(thinking) * CHARS_PER_TOKEN
  return { ...reply, thinking, text: text.slice(0, Math.max(0, left)), finish: 'length' }
}

export function countTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN)
}

/** Pieces of a streamed text: words with the space before them, or of a fixed length. */
export function cutPieces(text: string, chars: number | undefined): string[] {
  if (chars === undefined) return text.match(/\s*\S+|\s+$/g) ?? []
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += chars) pieces.push(text.slice(at, at + chars))
  return pieces
}
