import { asArray, asObject, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { type JsonBody, readExactly } from '../request/read-body.ts'
import { tellingWords } from './telling-words.ts'

/** A question as it is compared: by the meaning of its last text, and for all else by being equal. */
export interface Compared {
  readonly text: string
  /** All else that is asked, and what in the text must be equal as well. */
  readonly rest: string
}

/** In bytes of the text: `yes` means something else each time. */
const SHORTEST = 12
/** What fits into the smallest windows of such models, of 512 tokens: more they would cut off without a word. */
const LONGEST = 2000
/** Writing out what is larger would hold up everyone else. */
const LARGEST_BODY = 1024 * 1024

/** Where the turns of a conversation are, and what of a turn is said. */
const places: Readonly<Record<DialectName, readonly [turns: string, said: string]>> = {
  'openai-chat': ['messages', 'content'],
  'openai-responses': ['input', 'content'],
  anthropic: ['messages', 'content'],
  gemini: ['contents', 'parts'],
  'gemini-interactions': ['input', 'content'],
}

/** What gives the model something to do: what it then does goes by more than the meaning of a text. */
const toolFields = ['tools', 'functions', 'mcp_servers', 'web_search_options', 'enable_search']

/** Stands where the text was; no text is like it. */
const BLANK = 0

/** Undefined for what is not compared: pictures, files, what a tool has said, tools on offer, too little, too much. */
export function readCompared(body: JsonBody, dialect: DialectName): Compared | undefined {
  if (body.text.length > LARGEST_BODY) return undefined
  const { json } = readExactly(body)
  if (toolFields.some(name => isGiven(json[name]))) return undefined
  const [turns, said] = places[dialect]
  const blanked = blankTurns(json[turns], said)
  if (!blanked) return undefined
  const text = blanked.text.trim()
  const bytes = Buffer.byteLength(text)
  if (bytes < SHORTEST || bytes > LONGEST) return undefined
  const rest = JSON.stringify([{ ...json, [turns]: blanked.value }, tellingWords(text)])
  return { text, rest }
}

interface Blanked {
  readonly text: string
  readonly value: Json
}

function isGiven(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function blankTurns(turns: Json | undefined, said: string): Blanked | undefined {
  if (typeof turns === 'string') return { text: turns, value: BLANK }
  const all = asArray(turns)
  const last = asObject(all.at(-1))
  // In the Responses form tools may be told of in any turn.
  if (!last || !isOfUser(last) || all.some(turn => isObject(turn) && isGiven(turn.tools))) return undefined
  const inside = blankParts(last[said])
  return inside && { text: inside.text, value: [...all.slice(0, -1), { ...last, [said]: inside.value }] }
}

/** Google's clients may leave the role out where nobody else has spoken. */
function isOfUser({ role = 'user', type = 'message' }: JsonObject): boolean {
  return role === 'user' && type === 'message'
}

/** The last of several texts is the one that is compared. */
function blankParts(parts: Json | undefined): Blanked | undefined {
  if (typeof parts === 'string') return { text: parts, value: BLANK }
  const all = asArray(parts)
  const last = asObject(all.at(-1))
  if (!last || !all.every(isText)) return undefined
  return { text: String(last.text), value: [...all.slice(0, -1), { ...last, text: BLANK }] }
}

const textTypes: ReadonlySet<unknown> = new Set(['text', 'input_text'])

/** One without a type is Google's, where what it is stands in the names of its fields. */
function isText(part: Json): boolean {
  if (!isObject(part) || typeof part.text !== 'string') return false
  return part.type === undefined ? Object.keys(part).length === 1 : textTypes.has(part.type)
}
