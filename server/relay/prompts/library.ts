import { splitAtPlaces } from '../../../contract/prompt-text.ts'
import {
  LONGEST_PROMPT_NAME,
  type PromptMessage,
  type PromptParameters,
  type PromptRole,
  promptName,
} from '../../../contract/prompts.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/index.ts'

/** A version of a prompt, ready to be filled in. */
export interface Prompt {
  readonly name: string
  readonly version: number
  /** '' where callers name one. */
  readonly model: string
  readonly messages: readonly Template[]
  readonly parameters: PromptParameters
}

export interface Template {
  readonly role: PromptRole
  /** Texts and the names of what is put between them, in turns. */
  readonly pieces: readonly string[]
}

/** Why there is none. */
type Lack = 'prompt.unknown' | 'prompt.unknown-version'

/** Characters of prompts that are remembered, and what a name takes by itself. */
const MOST_KNOWN = 32_000_000
const NAME_SIZE = 200

/**
 * The prompts that accounts keep, as far as they are called. Whatever changes one empties it, on every node, so that a
 * version that was taken into use is what the next call gets.
 */
export class PromptLibrary {
  readonly #db: Store['db']
  readonly #known = new Map<string, Prompt | Lack>()
  readonly #reading = new Map<string, Promise<Prompt | Lack>>()
  #size = 0
  #age = 0

  constructor({ db, bus }: Pick<Store, 'db' | 'bus'>) {
    this.#db = db
    bus.on('prompts', () => {
      this.#age++
      this.#reading.clear()
      this.#forget()
    })
  }

  /** Without a `version` the one in use. Another account's is as one that nobody has. */
  async find(userId: number, name: string, version: number | undefined): Promise<Prompt> {
    // What can be no name is not looked for: not every database would take it.
    if (!promptName.test(name)) throw lack('prompt.unknown', name, version)
    const key = `${userId} ${version ?? ''} ${name}`
    const found = this.#known.get(key) ?? (await this.#read(key, userId, name, version))
    if (typeof found === 'string') throw lack(found, name, version)
    return found
  }

  /** Calls that come together read once. */
  #read(key: string, userId: number, name: string, version: number | undefined): Promise<Prompt | Lack> {
    const running = this.#reading.get(key)
    if (running) return running
    // What was read before it was emptied is not kept.
    const age = this.#age
    const reading = this.#select(userId, name, version)
      .then(({ found, size }) => {
        if (age === this.#age) this.#remember(key, found, size)
        return found
      })
      .finally(() => {
        if (age === this.#age) this.#reading.delete(key)
      })
    this.#reading.set(key, reading)
    return reading
  }

  #remember(key: string, found: Prompt | Lack, size: number): void {
    if (this.#size + size > MOST_KNOWN) this.#forget()
    this.#known.set(key, found)
    this.#size += size
  }

  #forget(): void {
    this.#known.clear()
    this.#size = 0
  }

  async #select(userId: number, name: string, version: number | undefined) {
    const row = await this.#db
      .selectFrom('prompts')
      .leftJoin('prompt_versions', join => {
        const own = join.onRef('prompt_versions.prompt_id', '=', 'prompts.id')
        return version === undefined
          ? own.onRef('prompt_versions.version', '=', 'prompts.version')
          : own.on('prompt_versions.version', '=', version)
      })
      .select(['prompt_versions.version', 'prompt_versions.model', 'prompt_versions.content'])
      .where('prompts.user_id', '=', userId)
      .where('prompts.name', '=', name)
      .executeTakeFirst()
    if (!row) return { found: 'prompt.unknown', size: NAME_SIZE } as const
    if (row.content === null || row.version === null)
      return { found: 'prompt.unknown-version', size: NAME_SIZE } as const
    const { messages, parameters } = JSON.parse(row.content) as {
      messages: PromptMessage[]
      parameters: PromptParameters
    }
    const found: Prompt = {
      name,
      version: row.version,
      model: row.model ?? '',
      messages: messages.map(({ role, content }) => ({ role, pieces: splitAtPlaces(content) })),
      parameters,
    }
    return { found, size: NAME_SIZE + row.content.length }
  }
}

function lack(code: Lack, name: string, version: number | undefined): AppError {
  return new AppError(code, {
    name: name.slice(0, LONGEST_PROMPT_NAME),
    ...(version !== undefined && { version }),
  })
}
