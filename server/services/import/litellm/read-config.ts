import * as z from 'zod/mini'
import type { SettingValue } from '../../../../contract/settings/index.ts'
import { ANY_MODEL, type fallbackSettings } from '../../../../contract/settings/model-fallbacks.ts'
import { ImportRefused } from '../report.ts'
import type { ForeignServer } from './plan-server.ts'
import type { ForeignPrompt } from './read-dotprompt.ts'
import { type PromptFiles, readPrompts } from './read-prompts.ts'

/** One line of LiteLLM's `model_list`: a model as clients name it, and where calls of it go. */
export interface Deployment {
  /** May hold one `*`, as `model` then does. */
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
  readonly info: Readonly<Record<string, unknown>>
}

/** As they stand there, with `*` for the default ones. */
export interface Fallbacks {
  readonly field: string
  readonly option: keyof typeof fallbackSettings
  readonly lists: readonly (readonly [model: string, listed: unknown])[]
}

export interface Config {
  readonly deployments: readonly Deployment[]
  /** Other names that clients may use, each for one of the names above. */
  readonly aliases: ReadonlyMap<string, string>
  readonly retries: number | undefined
  /** How one of several channels is chosen, where that can be had here. */
  readonly choice: ChannelChoice | undefined
  /** By what they are here. */
  readonly fallbacks: readonly Fallbacks[]
  readonly servers: readonly ForeignServer[]
  readonly prompts: readonly ForeignPrompt[]
  /** Variables that the file sets itself. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Parts of the file that mean nothing here. */
  readonly unread: readonly string[]
}

const anything = z.record(z.string(), z.unknown())
const maybe = z.nullish(anything)
const configShape = z.looseObject({
  model_list: z.nullish(
    z.array(
      z.looseObject({ model_name: z.string(), litellm_params: anything, model_info: z.optional(maybe) }),
    ),
  ),
  search_tools: z.nullish(z.array(z.looseObject({ search_tool_name: z.string(), litellm_params: anything }))),
  mcp_servers: z.optional(z.unknown()),
  prompts: z.optional(z.unknown()),
  router_settings: z.optional(maybe),
  litellm_settings: z.optional(maybe),
  general_settings: z.optional(maybe),
  environment_variables: z.optional(maybe),
})

const fallbackFields = [
  ['fallbacks', 'ModelFallbacks'],
  ['context_window_fallbacks', 'ContextWindowFallbacks'],
  ['content_policy_fallbacks', 'ContentPolicyFallbacks'],
] as const

const RESTS = 'channels that fail rest by themselves, for seconds to minutes'
const ALIKE = 'RetryTimes is for every model and every failure'

/** What there is no setting for. */
const unsettled = new Map([
  ['allowed_fails', RESTS],
  ['allowed_fails_policy', RESTS],
  ['cooldown_time', RESTS],
  ['disable_cooldowns', RESTS],
  ['retry_policy', ALIKE],
  ['model_group_retry_policy', ALIKE],
  ['enable_pre_call_checks', 'whether a request is too long, its model is asked'],
])

type ChannelChoice = SettingValue<'ChannelChoice'>

const choices: ReadonlyMap<string, ChannelChoice> = new Map([
  ['simple-shuffle', 'weight'],
  ['least-busy', 'least_busy'],
  ['latency-based-routing', 'fastest'],
  ['cost-based-routing', 'cheapest'],
])

const NO_CONFIG =
  'That is no configuration of LiteLLM: it wants a model_list, each with model_name and litellm_params, search_tools, mcp_servers or prompts.'

export function readConfig(text: string, promptFiles: PromptFiles): Config {
  const { data, error } = configShape.safeParse(parse(text))
  if (error) throw new ImportRefused(`${NO_CONFIG}${whereOf(error)}`)
  if (!data.model_list && !data.search_tools && !data.mcp_servers && !data.prompts)
    throw new ImportRefused(NO_CONFIG)
  const router = data.router_settings ?? {}
  const general = data.general_settings ?? {}
  const whole = data.litellm_settings ?? {}
  const strategy = readStrategy(router.routing_strategy)
  const prompts = readPrompts(data.prompts, whole.global_prompt_directory, promptFiles)
  return {
    deployments: [
      ...(data.model_list ?? []).map(({ model_name, litellm_params, model_info }) => ({
        name: model_name.trim(),
        params: litellm_params,
        info: model_info ?? {},
      })),
      ...(data.search_tools ?? []).map(({ search_tool_name, litellm_params }) => ({
        name: search_tool_name.trim(),
        params: asModel(litellm_params),
        info: {},
      })),
    ],
    aliases: readAliases(router.model_group_alias),
    retries: readRetries(router.num_retries ?? whole.num_retries),
    choice: choices.get(strategy),
    fallbacks: fallbackFields.map(([field, option]) => ({
      field,
      option,
      lists: readFallbacks(field, router, whole),
    })),
    servers: readServers(data.mcp_servers, whole.mcp_aliases),
    prompts: prompts.found,
    variables: data.environment_variables ?? {},
    unread: [
      ...('include' in data ? ['include: import those files one by one'] : []),
      ...[...unsettled]
        .filter(([name]) => name in router || name in whole)
        .map(([name, instead]) => `${name}: left out: ${instead}`),
      ...(strategy !== '' && !choices.has(strategy)
        ? [`routing_strategy ${strategy}: nothing here chooses like that; ChannelChoice stays as it is`]
        : []),
      ...('master_key' in general || 'database_url' in general
        ? ['general_settings: users and their keys are in its database: import that too']
        : []),
      ...notesOnPassing(general),
      ...prompts.unread,
    ],
  }
}

const passing = z.array(
  z.looseObject({ path: z.string(), target: z.string(), cost_per_request: z.optional(z.unknown()) }),
)

/** What is to be entered for an API that LiteLLM has passed calls to: whose key is in which header, nobody can tell. */
export function notesOnPassing(general: Readonly<Record<string, unknown>>): readonly string[] {
  const { data = [] } = passing.safeParse(general.pass_through_endpoints)
  return data.map(({ path, target, cost_per_request: price }) => {
    const service = path
      .replace(/^\/+|\/+$/g, '')
      .replaceAll('/', '-')
      .slice(0, 100)
    const cost = typeof price === 'number' ? String(price) : 'its price'
    const { origin, pathname } = URL.parse(target) ?? { origin: 'of its target', pathname: '' }
    return `pass_through_endpoints ${path.slice(0, 200)}: left out: add a channel of type Any HTTP API with the base URL ${origin}${pathname.slice(0, 200)} and the service ${service}, and ${cost} for it in ModelPrice; its clients then call /pass/${service}`
  })
}

/** What searches is a model here, of the vendor that it is asked of there. */
function asModel({ search_provider, ...params }: Record<string, unknown>): Record<string, unknown> {
  const vendor = typeof search_provider === 'string' ? search_provider : ''
  return { ...params, custom_llm_provider: vendor, model: `${vendor.replace(/_ai$/, '')}-search` }
}

function parse(text: string): unknown {
  try {
    return Bun.YAML.parse(text)
  } catch (error) {
    const tab = text.split('\n').findIndex(line => /^ *\t\s*\S/.test(line))
    const hint = tab < 0 ? '' : ` Line ${tab + 1} begins with a tab; YAML wants blanks.`
    // What the parser says may repeat a line, and lines hold keys.
    throw new ImportRefused(`That file is no YAML that can be read.${hint}`, { cause: error })
  }
}

/** Which of many entries is wrong; nothing of what stands there, which may be a key. */
function whereOf({ issues: [first] }: z.core.$ZodError): string {
  if (!first || first.path.length === 0) return ''
  const steps = first.path.map(step => (typeof step === 'number' ? `entry ${step + 1}` : String(step)))
  return ` This is missing, or is not what LiteLLM has there: ${steps.join(', ')}.`
}

/** An alias is a name, or an object that says more of it. */
function readAliases(value: unknown): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>()
  for (const [alias, target] of Object.entries(anything.safeParse(value).data ?? {})) {
    const model = anything.safeParse(target).data?.model ?? target
    if (typeof model === 'string') aliases.set(alias, model)
  }
  return aliases
}

/** An alias is what agents call one by; it may stand with the others instead of in its place. */
function readServers(servers: unknown, aliases: unknown): readonly ForeignServer[] {
  const known = new Map(
    Object.entries(anything.safeParse(aliases).data ?? {}).map(([alias, server]) => [server, alias]),
  )
  return Object.entries(anything.safeParse(servers).data ?? {}).map(([name, value]) => {
    const fields = anything.safeParse(value).data ?? {}
    const alias = typeof fields.alias === 'string' ? fields.alias.trim() : ''
    return { name: alias || known.get(name) || name, fields }
  })
}

/** A list of objects; of two that name the same model the first counts, and what the router says before the rest. */
function readFallbacks(
  field: string,
  router: Readonly<Record<string, unknown>>,
  whole: Readonly<Record<string, unknown>>,
): Fallbacks['lists'] {
  const listed = z.array(anything).safeParse(router[field] ?? whole[field]).data ?? []
  const byDefault = field === 'fallbacks' ? (router.default_fallbacks ?? whole.default_fallbacks) : undefined
  const found = new Map<string, unknown>()
  for (const [model, models] of listed.flatMap(each => Object.entries(each)))
    if (!found.has(model)) found.set(model, models)
  if (byDefault && !found.has(ANY_MODEL)) found.set(ANY_MODEL, byDefault)
  return [...found]
}

/** A name that somebody made up may be anything. */
function readStrategy(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 50) : ''
}

function readRetries(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
}
