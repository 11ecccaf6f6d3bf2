import { channelStatuses } from '../../contract/channels.ts'
import { servesModels } from '../../contract/service-types.ts'
import { groupRatio } from '../ledger/price/group-ratio.ts'
import type { Settings } from '../store/settings-snapshot.ts'
import { splitList } from '../store/split-list.ts'
import { AUTO, groupsBehind } from '../store/user-groups.ts'
import type { App } from './app.ts'
import { Turn } from './give-way.ts'

/** The group of every new account: whoever is not logged in sees what that would be offered. */
export const NEWCOMERS = 'default'

export type UsableGroups = Record<string, { ratio: number; desc: string }>

/** The groups someone may use: what users may choose, and the own one, as far as these have a ratio. */
export function usableGroups(settings: Settings, ownGroup?: string): UsableGroups {
  const isAuto = settings.get('AutoGroups').length > 0
  const described = Object.entries(settings.get('UserUsableGroups'))
  if (ownGroup !== undefined && !described.some(([name]) => name === ownGroup))
    described.push([ownGroup, '用户分组'])
  return Object.fromEntries(
    described.flatMap(([name, desc]) => {
      const ratio = isAuto && name === AUTO ? undefined : groupRatio(settings.all, name, ownGroup)
      return ratio === undefined ? [] : [[name, { ratio, desc }]]
    }),
  )
}

/** The same and `auto`, if that has any of them behind it: whoever asks for it pays its highest ratio at most. */
export function offeredGroups(settings: Settings, ownGroup: string): UsableGroups {
  const usable = usableGroups(settings, ownGroup)
  const behind = groupsBehind(settings, ownGroup, AUTO) ?? []
  if (behind.length === 0) return usable
  const described = settings.get('UserUsableGroups')
  const desc = (Object.hasOwn(described, AUTO) && described[AUTO]) || behind.join(' → ')
  const ratio = Math.max(...behind.map(group => usable[group]?.ratio ?? 0))
  return { ...usable, [AUTO]: { ratio, desc } }
}

/** Whether a model is among those that someone may use; of nobody in particular, those that a new account may. */
export async function modelsOffered(app: App, ownGroup = NEWCOMERS): Promise<(model: string) => boolean> {
  const ofGroups = await enabledModels(app)()
  const groups = Object.keys(usableGroups(app.settings, ownGroup))
  return model => groups.some(group => ofGroups.get(group)?.has(model))
}

type ModelsOfGroup = ReadonlyMap<string, ReadonlySet<string>>
type ReadModels = () => Promise<ModelsOfGroup>

interface Served {
  readonly all: ModelsOfGroup
  /** Without what is only there as a service or a search. */
  readonly chats: ModelsOfGroup
}

/** All who ask share what was read. */
const readers = new WeakMap<App['store'], () => Promise<Served>>()

/** The models that enabled channels serve, by group; read again after channels change. */
export function enabledModels({ store }: App): ReadModels {
  const read = readerOf(store)
  return async () => (await read()).all
}

/** Those of them that may chat, as far as the types of their channels tell. */
export function chattingModels({ store }: App): ReadModels {
  const read = readerOf(store)
  return async () => (await read()).chats
}

function readerOf(store: App['store']): () => Promise<Served> {
  const reader = readers.get(store) ?? modelReader(store)
  readers.set(store, reader)
  return reader
}

function modelReader(store: App['store']): () => Promise<Served> {
  let known: Promise<Served> | undefined
  store.bus.on('channels', () => {
    known = undefined
  })
  return async () => {
    const reading = known ?? readModels(store)
    known = reading
    try {
      return await reading
    } catch (error) {
      if (known === reading) known = undefined
      throw error
    }
  }
}

/** There are channels by the thousand, and many of them serve the same. */
async function readModels({ db }: App['store']): Promise<Served> {
  const rows = await db
    .selectFrom('channels')
    .select(['type', 'models', 'group'])
    .distinct()
    .where('status', '=', channelStatuses.enabled)
    .execute()
  const all = new Map<string, Set<string>>()
  const chats = new Map<string, Set<string>>()
  const turn = new Turn()
  for (const row of rows) {
    if (turn.isOver()) await turn.next()
    const models = splitList(row.models)
    for (const group of splitList(row.group))
      for (const found of servesModels(row.type) ? [all, chats] : [all]) {
        const known = found.get(group) ?? new Set()
        for (const model of models) known.add(model)
        found.set(group, known)
      }
  }
  return { all, chats }
}
