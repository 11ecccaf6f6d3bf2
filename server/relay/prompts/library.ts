import { expressionBuilder } from 'kysely'
import { splitAtPlaces } from '../../../contract/prompt-text.ts'
import {
  LATEST,
  LONGEST_PROMPT_NAME,
  PRODUCTION,
  type PromptMessage,
  type PromptParameters,
  type PromptRole,
  promptName,
} from '../../../contract/prompts.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'

/** A version of a prompt, ready to be filled in. */
export interface Prompt {
  readonly id: number
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

/** A version by its number or a label; undefined for the one in use. */
export type Which = number | string | undefined

/** Why there is none. */
type Lack = 'prompt.unknown' | 'prompt.unknown-version' | 'prompt.unknown-label'

/** Characters of prompts that are remembered, and what a name takes by itself. */
const MOST_KNOWN = 32_000_000
const NAME_SIZE = 200

/**
 * The prompts that accounts keep, as far as they are called. Whatever changes one empties it, on every node, so that a
 * version that was taken into use, or got a label, is what the next call gets.
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

  /** Another account's is as one that nobody has. */
  async find(userId: number, name: string, named: Which): Promise<Prompt> {
    // Who names what everybody gets reads no other.
    const which = named === PRODUCTION ? undefined : named
    // Databases do not agree on NUL and on spaces at the end.
    if (!promptName.test(name)) throw lack('prompt.unknown', name, which)
    const key = `${userId} ${which ?? ''} ${name}`
    const found = this.#known.get(key) ?? (await this.#read(key, userId, name, which))
    if (typeof found === 'string') throw lack(found, name, which)
    return found
  }

  /** Calls that come together read once. */
  #read(key: string, userId: number, name: string, which: Which): Promise<Prompt | Lack> {
    const running = this.#reading.get(key)
    if (running) return running
    // What was read before it was emptied is not kept.
    const age = this.#age
    const reading = this.#select(userId, name, which)
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

  async #select(userId: number, name: string, which: Which) {
    const row = await this.#db
      .selectFrom('prompts')
      .leftJoin('prompt_versions', join =>
        join
          .onRef('prompt_versions.prompt_id', '=', 'prompts.id')
          .on('prompt_versions.version', '=', at(which)),
      )
      .select(['prompts.id', 'prompt_versions.version', 'prompt_versions.model', 'prompt_versions.content'])
      .where('prompts.user_id', '=', userId)
      .where('prompts.name', '=', name)
      .executeTakeFirst()
    if (!row) return { found: 'prompt.unknown', size: NAME_SIZE } as const
    if (row.content === null || row.version === null) {
      const found = typeof which === 'string' ? 'prompt.unknown-label' : 'prompt.unknown-version'
      return { found, size: NAME_SIZE } as const
    }
    const { messages, parameters } = JSON.parse(row.content) as {
      messages: PromptMessage[]
      parameters: PromptParameters
    }
    const found: Prompt = {
      id: row.id,
      name,
      version: row.version,
      model: row.model ?? '',
      messages: messages.map(({ role, content }) => ({ role, pieces: splitAtPlaces(content) })),
      parameters,
    }
    return { found, size: NAME_SIZE + row.content.length }
  }
}

/** Which version that is of the prompt that is looked at, in one statement with it: nothing moves in between. */
function at(which: Which) {
  const { ref, val, selectFrom } = expressionBuilder<Schema, 'prompts'>()
  if (which === undefined) return ref('prompts.version')
  if (typeof which === 'number') return val(which)
  if (which === LATEST)
    return selectFrom('prompt_versions as newest')
      .select(row => row.fn.max('newest.version').as('version'))
      .whereRef('newest.prompt_id', '=', 'prompts.id')
  return selectFrom('prompt_labels')
    .select('prompt_labels.version')
    .whereRef('prompt_labels.prompt_id', '=', 'prompts.id')
    .where('prompt_labels.label', '=', which)
}

function lack(code: Lack, name: string, which: Which): AppError {
  return new AppError(code, {
    name: name.slice(0, LONGEST_PROMPT_NAME),
    ...(which !== undefined && (typeof which === 'string' ? { label: which } : { version: which })),
  })
}
