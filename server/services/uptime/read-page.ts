import * as z from 'zod/mini'
import type { UptimePage } from '../../../contract/panels.ts'
import { isSlug } from '../../../contract/settings/panels.ts'
import type { Monitor, UptimeOfPage } from '../../../contract/uptime.ts'
import { isWebAddress } from '../../../contract/web-address.ts'
import { AppError } from '../../errors.ts'
import { readJson } from '../../outbound/client.ts'
import { restoreAmong } from '../../outbound/credentials.ts'
import type { App } from '../app.ts'

const WAIT_MS = 8000
const LARGEST_ANSWER = 2 * 1024 * 1024
/** Of a page, and the characters of their names. */
const MOST_MONITORS = 200
const LONGEST_NAME = 100
/** As many as a line on the dashboard has room for. */
const MOST_BEATS = 30

/** What is on it, in which order. */
const layout = z.object({
  publicGroupList: z.array(
    z.object({
      name: z.string(),
      monitorList: z.array(z.object({ id: z.union([z.int(), z.string()]), name: z.string() })),
    }),
  ),
})
type Layout = z.output<typeof layout>

/** How it is, by the ids of monitors; those of uptimes end in `_24`. */
const beats = z.object({
  heartbeatList: z.record(z.string(), z.array(z.object({ status: z.int(), time: z.string() }))),
  uptimeList: z.record(z.string(), z.nullable(z.number())),
})
type Beats = z.output<typeof beats>

/** What a status page of Uptime Kuma says, as anyone can read it; or that it says nothing. */
export async function readPage(app: Pick<App, 'outbound'>, page: UptimePage): Promise<UptimeOfPage> {
  const { categoryName, description } = page
  try {
    return { categoryName, description, away: false, monitors: await readMonitors(app, page) }
  } catch {
    // Why is between the operator and the page: here it is only told that there is none.
    return { categoryName, description, away: true, monitors: [] }
  }
}

/** How many there are on a page, for the operator, who is told why where nothing can be read. */
export async function testPage(app: App, { url: shown, slug }: Place): Promise<{ monitors: number }> {
  const known = app.settings.get('UptimeKumaGroups').map(page => ({ of: page.slug, address: page.url }))
  const url = restoreAmong({ of: slug, address: shown }, known)
  if (url === undefined || !isWebAddress(url) || !isSlug(slug)) throw new AppError('uptime.unknown-page')
  return { monitors: (await readMonitors(app, { url, slug })).length }
}

type Place = Pick<UptimePage, 'url' | 'slug'>

async function readMonitors(app: Pick<App, 'outbound'>, place: Place): Promise<Monitor[]> {
  const base = `${baseOf(place)}/api/status-page`
  const [laidOut, found] = await Promise.all([
    read(app, `${base}/${place.slug}`, layout),
    read(app, `${base}/heartbeat/${place.slug}`, beats),
  ])
  return monitorsOf(laidOut, found)
}

/** Where Uptime Kuma is, also of who gives the page's own address as a browser shows it. */
function baseOf({ url, slug }: Place): string {
  const address = new URL(url)
  address.search = ''
  address.hash = ''
  const [whole, own] = [address.href.replace(/\/+$/, ''), `/status/${slug}`]
  return whole.endsWith(own) ? whole.slice(0, -own.length) : whole
}

async function read<T>({ outbound }: Pick<App, 'outbound'>, url: string, form: z.ZodMiniType<T>): Promise<T> {
  const response = await outbound.fetch(url, {
    policy: 'operator',
    headers: { accept: 'application/json' },
    timeoutMs: WAIT_MS,
    wholeMs: WAIT_MS,
    maxBytes: LARGEST_ANSWER,
  })
  if (!response.ok) {
    await response.body?.cancel()
    if (response.status === 404) throw new AppError('uptime.unknown-page')
    throw new AppError('uptime.refused', { status: response.status })
  }
  const { success, data } = form.safeParse(await readJson(response, LARGEST_ANSWER).catch(asUnreadable))
  if (!success) throw new AppError('uptime.no-page')
  return data
}

/** What came is no JSON; what did not come whole is told as it is. */
function asUnreadable(error: unknown): undefined {
  if (error instanceof AppError && error.code !== 'outbound.failed') throw error
}

function monitorsOf({ publicGroupList }: Layout, { heartbeatList, uptimeList }: Beats): Monitor[] {
  const all = publicGroupList.flatMap(({ name: group, monitorList }) =>
    monitorList.map(({ id, name }): Monitor => {
      const states = (heartbeatList[id] ?? [])
        .toSorted((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
        .map(({ status }) => status)
      const uptime = uptimeList[`${id}_24`] ?? null
      return {
        name: name.slice(0, LONGEST_NAME).toWellFormed(),
        group: group.slice(0, LONGEST_NAME).toWellFormed(),
        status: states.at(-1) ?? null,
        uptime: uptime === null ? null : Math.min(Math.max(uptime, 0), 1),
        beats: states.slice(-MOST_BEATS),
      }
    }),
  )
  return all.slice(0, MOST_MONITORS)
}
