import { createHash } from 'node:crypto'
import type { AnswerDialect, StreamReader } from './dialect.ts'
import type { AnswerPart, Message, NeutralRequest, Part, StreamPart } from './spec.ts'
import type { ToolUse } from './usage.ts'

const USUAL = /^[a-zA-Z0-9_-]{1,64}$/
/** What every vendor takes. */
const LONGEST = 64
const HASH_LENGTH = 8

type Emit = (part: StreamPart) => void

/** Names of tools in the client's words and in the upstream's. */
export interface ToolNames {
  readonly there: ReadonlyMap<string, string>
  readonly back: ReadonlyMap<string, string>
}

/** New names for the tools whose own the upstream would refuse; undefined when it takes them all. */
export function findToolNames(request: NeutralRequest, allowed: RegExp = USUAL): ToolNames | undefined {
  const names = listNames(request)
  const refused = [...names].filter(name => !allowed.test(name))
  if (refused.length === 0) return undefined
  const taken = new Set([...names].filter(name => allowed.test(name)))
  const there = new Map<string, string>()
  for (const name of refused) {
    const fitting = fitName(name, taken)
    taken.add(fitting)
    there.set(name, fitting)
  }
  return { there, back: new Map([...there].map(([name, fitting]) => [fitting, name])) }
}

/** Definitions first: so a name becomes the same in every turn of a conversation. */
function listNames({ tools, toolChoice, messages }: NeutralRequest): Set<string> {
  const names = new Set<string>()
  for (const tool of tools) if (tool.type === 'function') names.add(tool.name)
  if (toolChoice?.type === 'named') for (const name of toolChoice.names) names.add(name)
  for (const { parts } of messages)
    for (const part of parts)
      if ((part.type === 'tool-call' || part.type === 'tool-result') && part.name !== undefined)
        names.add(part.name)
  return names
}

function fitName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_')
  const begun = /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`
  if (begun.length <= LONGEST && !taken.has(begun)) return begun
  for (let round = 0; ; round++) {
    const hash = createHash('sha256')
      .update(`${name}${round || ''}`)
      .digest('hex')
      .slice(0, HASH_LENGTH)
    const fitting = `${begun.slice(0, LONGEST - HASH_LENGTH - 1)}_${hash}`
    if (!taken.has(fitting)) return fitting
  }
}

/** A request that names its tools as the upstream will. */
export function renameTools(request: NeutralRequest, { there }: ToolNames): NeutralRequest {
  const rename = (name: string): string => there.get(name) ?? name
  const { toolChoice } = request
  return {
    ...request,
    tools: request.tools.map(tool =>
      tool.type === 'function' ? { ...tool, name: rename(tool.name) } : tool,
    ),
    toolChoice:
      toolChoice?.type === 'named' ? { ...toolChoice, names: toolChoice.names.map(rename) } : toolChoice,
    messages: request.messages.map(message => renameIn(message, rename)),
  }
}

function renameIn(message: Message, rename: (name: string) => string): Message {
  const parts = message.parts.map((part): Part => {
    if (part.type === 'tool-call') return { ...part, name: rename(part.name) }
    if (part.type !== 'tool-result' || part.name === undefined) return part
    return { ...part, name: rename(part.name) }
  })
  return { ...message, parts }
}

/** The same, with answers that name the tools as the client does. */
export function renameToolsBack(dialect: AnswerDialect, { back }: ToolNames): AnswerDialect {
  const rename = (name: string): string => back.get(name) ?? name
  return {
    ...dialect,
    readAnswer(body) {
      const answer = dialect.readAnswer(body)
      if (!answer) return undefined
      const others = answer.others?.map(other => ({ ...other, parts: renameParts(other.parts, rename) }))
      return { ...answer, parts: renameParts(answer.parts, rename), others }
    },
    createReader: () => new RenamingReader(dialect.createReader(), rename),
  }
}

function renameParts(parts: readonly AnswerPart[], rename: (name: string) => string): AnswerPart[] {
  return parts.map(part => (part.type === 'tool-call' ? { ...part, name: rename(part.name) } : part))
}

class RenamingReader implements StreamReader {
  readonly mayVary: RegExp | undefined
  readonly #reader: StreamReader
  readonly #rename: (name: string) => string

  constructor(reader: StreamReader, rename: (name: string) => string) {
    this.#reader = reader
    this.#rename = rename
    this.mayVary = reader.mayVary
  }

  get hasEnough(): boolean | undefined {
    return this.#reader.hasEnough
  }

  get toolUse(): ToolUse | undefined {
    return this.#reader.toolUse
  }

  get awaitsUsage(): boolean | undefined {
    return this.#reader.awaitsUsage
  }

  read(event: string, data: string, emit: Emit): void {
    this.#reader.read(event, data, this.#renamed(emit))
  }

  end(emit: Emit): boolean {
    return this.#reader.end(this.#renamed(emit))
  }

  #renamePart(part: StreamPart): StreamPart {
    if (part.type === 'tool-start') return { ...part, name: this.#rename(part.name) }
    return part.type === 'choice' ? { ...part, part: this.#renamePart(part.part) } : part
  }

  #renamed(emit: Emit): Emit {
    return part => emit(this.#renamePart(part))
  }
}
