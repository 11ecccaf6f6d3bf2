import { promptHeader, promptLabel, VENDOR_PROMPT } from '../../../contract/prompts.ts'
import { isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import type { ChatRoute } from '../request/match-route.ts'
import type { Which } from './library.ts'

const HEADER = promptHeader.name

/** Which prompt a call names, and what is to be put into it. */
export interface Reference {
  readonly name: string
  readonly version: Which
  readonly variables: JsonObject
  /** The field that `variables` came in. */
  readonly field: string
  /** What of the body is said to us alone. */
  readonly fields: readonly string[]
}

type Place = Pick<ChatRoute, 'dialect' | 'prompt'>

/** Whether there is anything to look at: of most calls, there is not. */
export function mayNamePrompt(
  { prompt }: Place,
  { headers }: Pick<Request, 'headers'>,
  json: JsonObject,
): boolean {
  return (
    json.prompt !== undefined || json.prompt_id !== undefined || prompt !== undefined || headers.has(HEADER)
  )
}

/** The prompt by whichever of its ways it is named; undefined where it is its vendor's, or none. */
export function readReference(
  place: Place,
  { headers }: Pick<Request, 'headers'>,
  json: JsonObject,
): Reference | undefined {
  const ways = [byPath(place, json), byPrompt(place, json), byId(json), byHeader(headers, json)]
  const [first, second] = ways.filter(way => way !== undefined)
  if (first && second) refuseField(second.way, 'field.twice', { other: first.way })
  return first?.reference
}

interface Way {
  readonly way: string
  readonly reference: Reference
}

/** As clients of Portkey do it. */
function byPath({ prompt }: Place, { variables }: JsonObject): Way | undefined {
  if (prompt === undefined) return undefined
  return { way: 'path', reference: refer(prompt, undefined, 'variables', variables, ['variables']) }
}

/** As OpenAI has it for prompts that it keeps itself, which have ids of a form of their own. */
function byPrompt({ dialect }: Place, { prompt }: JsonObject): Way | undefined {
  if (dialect !== 'openai-chat' && dialect !== 'openai-responses') return undefined
  if (!isObject(prompt) || typeof prompt.id !== 'string' || prompt.id.startsWith(VENDOR_PROMPT))
    return undefined
  const { id, version, variables } = prompt
  const given = readVersion('prompt.version', version)
  return { way: 'prompt', reference: refer(id, given, 'prompt.variables', variables, ['prompt']) }
}

const litellmFields = ['prompt_id', 'prompt_version', 'prompt_variables']

/** As clients of LiteLLM do it. */
function byId({ prompt_id, prompt_version, prompt_variables }: JsonObject): Way | undefined {
  if (prompt_id === undefined || prompt_id === null) return undefined
  if (typeof prompt_id !== 'string') refuseField('prompt_id', 'field.string')
  const version = readVersion('prompt_version', prompt_version)
  const reference = refer(prompt_id, version, 'prompt_variables', prompt_variables, litellmFields)
  return { way: 'prompt_id', reference }
}

/** For dialects that have no place for one. */
function byHeader(
  headers: Request['headers'],
  { prompt_version, prompt_variables }: JsonObject,
): Way | undefined {
  const named = headers.get(HEADER)?.trim()
  if (!named) return undefined
  const version = readVersion('prompt_version', prompt_version)
  const reference = refer(named, version, 'prompt_variables', prompt_variables, litellmFields)
  return { way: HEADER, reference }
}

/** A number has at most nine digits here, and a label is no number. */
const number = /^\d{1,9}$/
const withVersion = /^(.*)@([^@]{1,36})$/s

/** A name may have its version behind it, or a label. What is neither is no prompt's name. */
function refer(
  named: string,
  version: Which,
  field: string,
  variables: Json | undefined,
  fields: readonly string[],
): Reference {
  const [, before = named, behind] = withVersion.exec(named) ?? []
  const which = behind === undefined ? undefined : asWhich(behind)
  if (variables !== undefined && variables !== null && !isObject(variables))
    refuseField(field, 'field.object')
  return {
    name: which === undefined ? named : before,
    version: version ?? which,
    variables: isObject(variables) ? variables : {},
    field,
    fields,
  }
}

function asWhich(text: string): Which {
  if (number.test(text)) return Number(text)
  return promptLabel.test(text) ? text : undefined
}

/** OpenAI writes it as text, LiteLLM as a number; either may be a label. */
function readVersion(field: string, value: Json | undefined): Which {
  if (value === undefined || value === null || value === '') return undefined
  const version = typeof value === 'string' ? asWhich(value) : value
  if (typeof version === 'string') return version
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1)
    refuseField(field, 'field.prompt-version')
  return version
}

/** Of calls that are not chat: what is asked for in vain is not passed over. `json` where the body is a chat's too. */
export function refusePrompt(
  { headers }: Pick<Request, 'headers'>,
  dialect: Place['dialect'],
  json: JsonObject | undefined,
): void {
  const isNamed = json ? readReference({ dialect }, { headers }, json) !== undefined : headers.has(HEADER)
  if (isNamed) throw new AppError('prompt.not-here')
}
