import { isObject, type Json, type JsonObject, parseLong } from '../../dialects/json.ts'

/** A text somewhere in a body, and how it is replaced there. */
export interface TextPlace {
  readonly text: string
  put(text: string): void
  /** It says of itself that a vendor has signed it: changed, that vendor would refuse it. Any other takes whatever it is. */
  readonly isSigned?: boolean
  /** The one before it goes on in it. */
  readonly goesOn?: boolean
}

/** Fields of the dialects in which people's words stand. */
const spoken = [
  'messages',
  'system',
  'instructions',
  'input',
  'contents',
  'systemInstruction',
  'system_instruction',
  'prompt',
  'negative_prompt',
  'suffix',
  'prediction',
  'query',
  'documents',
  'commands',
  'document_annotation_prompt',
]

/** What stands under these is not text to be read. */
const unspoken = new Set([
  'data',
  'url',
  'image_url',
  'image_base64',
  'file_data',
  'file_id',
  'fileUri',
  'file_uri',
  'uri',
  'encrypted_content',
  'signature',
  'thoughtSignature',
  'thought_signature',
  'type',
  'role',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'name',
  'media_type',
  'mimeType',
  'mime_type',
])

/** Data of tools, in which any name may stand for anything; by the field that holds it, and where that is. */
const toolData: Readonly<Record<string, readonly string[]>> = {
  functionCall: ['args'],
  function_call: ['args'],
  functionResponse: ['response'],
  function_response: ['response'],
}

/** Texts that are JSON: what a function is called with, and what was made of a picture in a document. */
const holdsJson: ReadonlySet<string | number> = new Set(['arguments', 'image_annotation'])

/** What a prompt that its vendor stores is filled with, under names of its author's. */
const VARIABLES = 'variables'

type Holder = JsonObject | Json[]

/** `isData`: of a tool's input or result, where numbers are read too. */
interface Waiting {
  readonly value: Json | undefined
  readonly holder: Holder
  readonly key: string | number
  readonly isData: boolean
  readonly isSigned: boolean
}

/** Every text in which people's or models' words stand in a request, in any dialect. */
export function textsOfRequest(json: JsonObject): TextPlace[] {
  const waiting: Waiting[] = []
  for (const key of spoken)
    if (json[key] !== undefined)
      waiting.push({ value: json[key], holder: json, key, isData: false, isSigned: false })
  return collect(waiting.reverse())
}

/** The same of a body in which all is spoken but what never is. */
export function textsIn(json: JsonObject): TextPlace[] {
  return collect([{ value: json, holder: { json }, key: 'json', isData: false, isSigned: false }])
}

/** Texts and numbers of what a tool is given. */
export function textsOfData(value: Json | undefined, holder: Holder, key: string | number): TextPlace[] {
  return collect([{ value, holder, key, isData: true, isSigned: false }])
}

/** The same of data that stands in a text as JSON; a text that is none is read as it is. */
export function textsOfJson(text: string, put: (text: string) => void): TextPlace[] {
  const root: JsonObject = { value: readJson(text) }
  if (typeof root.value !== 'object' || root.value === null) return [{ text, put }]
  return textsOfData(root.value, root, 'value').map(place => ({
    text: place.text,
    put(masked) {
      place.put(masked)
      put(JSON.stringify(root.value))
    },
  }))
}

function readJson(text: string): Json | undefined {
  try {
    return parseLong(text) as Json
  } catch {
    return undefined
  }
}

/** Not recursive: bodies may be deep. */
function collect(waiting: Waiting[]): TextPlace[] {
  const places: TextPlace[] = []
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    const { value, holder, key, isData, isSigned } = one
    const put = (text: string): void => {
      ;(holder as JsonObject)[key] = text
    }
    if (typeof value === 'string') {
      if (holdsJson.has(key) && !isData) places.push(...textsOfJson(value, put))
      else places.push(isSigned ? { text: value, put, isSigned } : { text: value, put })
    } else if (isData && (typeof value === 'number' || isLongNumber(value)))
      places.push({ text: JSON.stringify(value), put })
    else if (Array.isArray(value))
      for (let at = value.length - 1; at >= 0; at--)
        waiting.push({ value: value[at], holder: value, key: at, isData, isSigned })
    else if (isObject(value)) enter(value, key, isData, isSigned, waiting)
  }
  return places
}

/** A whole number that is kept as it was spelled. */
function isLongNumber(value: Json | undefined): boolean {
  return isObject(value) && typeof value.rawJSON === 'string' && Object.getPrototypeOf(value) === null
}

function enter(
  value: JsonObject,
  name: string | number,
  isData: boolean,
  wasSigned: boolean,
  waiting: Waiting[],
): void {
  const signed = isData ? undefined : signedIn(value)
  for (const key of Object.keys(value).reverse()) {
    const holdsData = isData || (toolData[name]?.includes(key) ?? false) || isInput(value, key)
    if (!holdsData && unspoken.has(key) && name !== VARIABLES && !isPlainDocument(value, key)) continue
    const isSigned = wasSigned || signed?.includes(key) === true
    waiting.push({ value: value[key], holder: value, key, isData: holdsData, isSigned })
  }
}

function isInput({ type, arguments: given, result }: JsonObject, key: string): boolean {
  if (key === 'input') return type === 'tool_use' || type === 'server_tool_use'
  // Google's interactions have objects there; a text is JSON, and a list is of contents.
  return (key === 'arguments' && isObject(given)) || (key === 'result' && isObject(result))
}

/**
 * The fields that hold what a model has thought and is sent back with its vendor's seal. A message is no thought, whatever
 * it calls itself, and a thought without a seal is the client's own.
 */
function signedIn(value: JsonObject): readonly string[] | undefined {
  const { type, thought, role, signature, encrypted_content, thoughtSignature, thought_signature } = value
  if (role !== undefined) return undefined
  if (type === 'thinking') return signature ? ['thinking'] : undefined
  if (type === 'thought') return signature ? ['summary'] : undefined
  if (type === 'reasoning') return encrypted_content ? ['summary', 'content'] : undefined
  return thought === true && (thoughtSignature || thought_signature) ? ['text'] : undefined
}

/** Anthropic's documents may be plain text. */
function isPlainDocument({ type }: JsonObject, key: string): boolean {
  return key === 'data' && type === 'text'
}
