import type { Transaction } from 'kysely'
import { type SettingKey, settings } from '../../../../contract/settings/index.ts'
import { AppError } from '../../../errors.ts'
import { priceBooks } from '../../../ledger/price/price-book.ts'
import type { Topic } from '../../../store/bus/bus.ts'
import type { Store } from '../../../store/index.ts'
import type { Schema } from '../../../store/schema.ts'
import { splitList } from '../../../store/split-list.ts'
import { putRow } from '../../../store/upsert.ts'
import { newChannel, writeChannels } from '../../channels/create.ts'
import { checkKeyForm, hashKey } from '../../channels/key.ts'
import type { Written } from '../../channels/read-fields.ts'
import { storedValue } from '../../options.ts'
import { endImport } from '../end-import.ts'
import type { ImportReport } from '../report.ts'
import { takePrompts } from './import-prompts.ts'
import { takeServers } from './import-servers.ts'
import type { Variable } from './place.ts'
import { type Planned, planChannels } from './plan-channels.ts'
import { planFallbacks } from './plan-fallbacks.ts'
import { planPrices } from './plan-prices.ts'
import { type Config, readConfig } from './read-config.ts'
import type { PromptFiles } from './read-prompts.ts'

interface Parts {
  readonly store: Store
  readonly variable: Variable
  /** The account that is to keep the prompts, by its name. */
  readonly promptsFor?: string | undefined
  /** Seconds since 1970. */
  now(): number
}

const MOST_RETRIES = 20

type Ready = Planned & { readonly written: Written }

/**
 * Makes channels of what LiteLLM's configuration lists, prices for names that have none, MCP servers and prompts: all in
 * one transaction.
 * An installation in use goes on as it is, with these added; what it has already is left alone.
 */
export async function importConfig(
  parts: Parts,
  { text, promptFiles }: { readonly text: string; readonly promptFiles: PromptFiles },
  report: ImportReport,
): Promise<void> {
  const { store } = parts
  const config = readConfig(text, promptFiles)
  await store.db.transaction().execute(async transaction => {
    await takeConfig(parts, transaction, config, report)
    await endImport(parts, transaction, { subject: 'litellm', topics: configTopics, report })
  })
  for (const topic of configTopics) await store.bus.announce(topic)
}

/** What has changed once a configuration has been taken. */
export const configTopics: readonly Topic[] = ['channels', 'options', 'mcp-servers', 'prompts']

/** Inside a transaction of the caller's, who says what has changed. */
export async function takeConfig(
  parts: Parts,
  transaction: Transaction<Schema>,
  config: Config,
  report: ImportReport,
): Promise<void> {
  const { store, now } = parts
  for (const part of config.unread) report.note(part)
  const variable: Variable = name => asVariable(config.variables[name]) ?? parts.variable(name)
  const planned = planChannels(config, variable, report).flatMap(each => makeReady(each, report) ?? [])
  const fresh = await withoutKnown(store, transaction, planned, report)
  for (const { written, place } of fresh) await writeChannels(parts, transaction, written, [place.key])
  report.add('channels', fresh.length)
  const changed = newSettings(store, fresh, config, report)
  for (const [key, value] of changed)
    await putRow(
      transaction,
      store.engine,
      'options',
      { key },
      { value: storedValue(store, key, value), updated_at: now() },
    )
  report.add('settings', changed.size)
  await takeServers(parts, transaction, config.servers, variable, report)
  await takePrompts(parts, transaction, config.prompts, report)
}

function asVariable(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).trim() || undefined
    : undefined
}

/** By the rules for a channel that is entered by hand. */
function makeReady(planned: Planned, report: ImportReport): Ready | undefined {
  const { place, fields, models } = planned
  const mapped = [...models].filter(([asked, model]) => asked !== model)
  const { headers } = place
  try {
    checkKeyForm(place.type, place.key)
    const written = newChannel({
      ...fields,
      type: place.type,
      name: nameOf(planned),
      models: [...models.keys()],
      group: 'default',
      base_url: place.baseUrl,
      other: place.other,
      openai_organization: place.organization,
      model_mapping: mapped.length > 0 ? JSON.stringify(Object.fromEntries(mapped)) : '',
      setting: Object.keys(headers).length > 0 ? JSON.stringify({ header_override: headers }) : '',
    })
    return { ...planned, written }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    report.note(`${[...models.keys()].join(', ')}: left out: ${error.message}`)
    return undefined
  }
}

/** Whose it is, and of one that serves a single name that too. */
function nameOf({ place, models }: Planned): string {
  const [only, ...more] = models.keys()
  return (more.length === 0 && only ? `${place.vendor} ${only}` : place.vendor).slice(0, 255)
}

/** What has been imported before, or entered by hand, is not added a second time: only models that are new are. */
async function withoutKnown(
  store: Store,
  transaction: Transaction<Schema>,
  planned: readonly Ready[],
  report: ImportReport,
): Promise<readonly Ready[]> {
  const fresh: Ready[] = []
  for (const each of planned) {
    const { type, base_url, name } = each.written
    const known = await transaction
      .selectFrom('channels')
      .select(['id', 'name', 'models'])
      .where('key_hash', '=', hashKey(store, each.place.key))
      .where('type', '=', type)
      .where('base_url', base_url === null ? 'is' : '=', base_url)
      .execute()
    const served = new Set(known.flatMap(({ models }) => splitList(models)))
    const models = new Map([...each.models].filter(([asked]) => !served.has(asked)))
    const isWhole = models.size === each.models.size
    const [first] = known
    if (first && !isWhole)
      report.note(`${name}: channel ${first.id} (${first.name}) has this key and address: left as it is`)
    const ready = isWhole || models.size === 0 ? each : makeReady({ ...each, models }, report)
    if (ready && models.size > 0) fresh.push(ready)
  }
  return fresh
}

function newSettings(
  store: Store,
  channels: readonly Planned[],
  config: Config,
  report: ImportReport,
): ReadonlyMap<SettingKey, string> {
  const changed = new Map<SettingKey, string>()
  const book = priceBooks(store.settings)()
  for (const [option, added] of planPrices(channels, config, book, report))
    changed.set(option, settings[option].encode({ ...store.settings.get(option), ...added }))
  for (const fallbacks of config.fallbacks) {
    const { option } = fallbacks
    const inForce = store.settings.get(option)
    const more = planFallbacks(fallbacks, inForce, report)
    if (Object.keys(more).length > 0) changed.set(option, settings[option].encode({ ...inForce, ...more }))
  }
  const { choice } = config
  const retries = config.retries && Math.min(config.retries, MOST_RETRIES)
  const times = store.settings.get('RetryTimes')
  if (retries && times === 0) {
    changed.set('RetryTimes', settings.RetryTimes.encode(retries))
    if (retries !== config.retries)
      report.note(`num_retries: ${config.retries}: RetryTimes is ${retries} at most`)
  } else if (retries && retries !== times) report.note(`num_retries: RetryTimes is ${times}: left as it is`)
  const chosen = store.settings.get('ChannelChoice')
  if (choice && choice !== chosen) {
    if (chosen === settings.ChannelChoice.default) changed.set('ChannelChoice', choice)
    else report.note(`routing_strategy: ChannelChoice is ${chosen}: left as it is`)
  }
  // Costs there are prices here: what a channel costs its operator nobody has said.
  if (choice === 'cheapest')
    report.note('routing_strategy cost-based-routing: channels go by their cost_ratio here: give them one')
  return changed
}
