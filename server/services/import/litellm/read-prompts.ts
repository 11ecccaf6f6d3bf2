import * as z from 'zod/mini'
import type { ForeignPrompt } from './read-dotprompt.ts'

/** The `.prompt` files of a directory, by their names without that; undefined where there is none. */
export type PromptFiles = (directory: string) => ReadonlyMap<string, string> | undefined

const anything = z.record(z.string(), z.unknown())
const listed = z.looseObject({ prompt_id: z.string(), litellm_params: z.optional(z.nullable(anything)) })

interface Found {
  readonly found: readonly ForeignPrompt[]
  /** Why others are not. */
  readonly unread: readonly string[]
}

/** The prompts that the file lists, and those of the directory that all calls may name. */
export function readPrompts(prompts: unknown, directory: unknown, promptFiles: PromptFiles): Found {
  const found = new Map<string, ForeignPrompt>()
  const unread: string[] = []
  const list = prompts === undefined || prompts === null ? [] : Array.isArray(prompts) ? prompts : [prompts]
  for (const [at, entry] of list.entries()) {
    const { data } = listed.safeParse(entry)
    if (!data) {
      unread.push(`prompts: number ${at + 1} is left out: it is none that can be read`)
      continue
    }
    const { prompt_id: name, litellm_params } = data
    const params = litellm_params ?? {}
    const prompt =
      params.prompt_integration === 'dotprompt' ? findText(name, params, directory, promptFiles) : undefined
    if (prompt) found.set(name, { name, ...prompt })
    else unread.push(`prompt ${name.slice(0, 100)}: left out: ${whyNot(params.prompt_integration)}`)
  }
  for (const [name, text] of filesIn(directory, promptFiles) ?? [])
    if (!found.has(name)) found.set(name, { name, text, metadata: {} })
  return { found: [...found.values()], unread }
}

function whyNot(integration: unknown): string {
  return integration === 'dotprompt'
    ? 'its text is not to be found'
    : `its text is with ${String(integration).slice(0, 40)}: enter it in the console`
}

function findText(
  name: string,
  params: Readonly<Record<string, unknown>>,
  directory: unknown,
  promptFiles: PromptFiles,
): Omit<ForeignPrompt, 'name'> | undefined {
  const { dotprompt_content: written, prompt_data, prompt_directory = directory } = params
  if (typeof written === 'string') return { text: written, metadata: {} }
  // By its name, as several may stand there, or by itself.
  const data = anything.safeParse(prompt_data).data ?? {}
  const inline = anything.safeParse(data[name]).data ?? data
  if (typeof inline.content === 'string')
    return { text: inline.content, metadata: anything.safeParse(inline.metadata).data ?? {} }
  const id = typeof params.prompt_id === 'string' ? params.prompt_id : name
  const text = filesIn(prompt_directory, promptFiles)?.get(id)
  return text === undefined ? undefined : { text, metadata: {} }
}

function filesIn(directory: unknown, promptFiles: PromptFiles): ReadonlyMap<string, string> | undefined {
  return typeof directory === 'string' && directory !== '' ? promptFiles(directory) : undefined
}
