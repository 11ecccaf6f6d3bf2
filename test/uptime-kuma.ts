import { monitorStates } from '../contract/uptime.ts'
import { serveLoopback } from './serve-loopback.ts'

export interface KumaMonitor {
  readonly id: number
  readonly name: string
  /** The newest at the end. */
  readonly beats: readonly (keyof typeof monitorStates)[]
  readonly uptime?: number
}

export interface KumaPage {
  readonly slug: string
  /** What is on it, by the groups that it stands under. */
  readonly groups: Readonly<Record<string, readonly KumaMonitor[]>>
}

/** Uptime Kuma with public status pages. Whoever asks in another way than a stranger would is complained about. */
export class UptimeKuma {
  pages: readonly KumaPage[] = []
  /** Answers anything in place of what is asked for, or nothing at all. */
  instead: (() => Response | Promise<Response>) | undefined
  readonly asked: string[] = []
  readonly complaints: string[] = []
  readonly #server: Bun.Server<unknown>

  constructor() {
    this.#server = serveLoopback(request => this.#answer(request))
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  /** It ends with the process then. */
  unref(): void {
    this.#server.unref()
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }

  #answer({ url, method, headers }: Request): Response | Promise<Response> {
    const { pathname, search } = new URL(url)
    this.asked.push(pathname + search)
    if (method !== 'GET') this.complaints.push(method)
    if (headers.get('accept') !== 'application/json') this.complaints.push('accept')
    for (const name of ['authorization', 'cookie', 'new-api-user'])
      if (headers.has(name)) this.complaints.push(name)
    if (this.instead) return this.instead()
    const [, beats, slug] = /^\/api\/status-page\/(heartbeat\/)?([a-z0-9-]+)$/.exec(pathname) ?? []
    const page = this.pages.find(one => one.slug === slug)
    if (!page || search !== '')
      return Response.json({ status: 'fail', msg: 'Status Page Not Found' }, { status: 404 })
    return Response.json(beats ? beatsOf(page) : layoutOf(page))
  }
}

function layoutOf({ slug, groups }: KumaPage) {
  return {
    config: { slug, title: slug, description: null, icon: '/icon.svg', theme: 'auto', published: true },
    incident: null,
    publicGroupList: Object.entries(groups).map(([name, monitors], at) => ({
      id: at + 1,
      name,
      weight: at + 1,
      monitorList: monitors.map(monitor => ({
        id: monitor.id,
        name: monitor.name,
        sendUrl: 0,
        type: 'http',
      })),
    })),
    maintenanceList: [],
  }
}

/** A minute apart; of those before the first there is nothing. */
function beatsOf({ groups }: KumaPage) {
  const monitors = Object.values(groups).flat()
  const timeOf = (at: number) =>
    new Date(Date.UTC(2026, 10, 18, 0, at)).toISOString().replace('T', ' ').slice(0, 23)
  return {
    heartbeatList: Object.fromEntries(
      monitors.map(({ id, beats }) => [
        id,
        beats.map((state, at) => ({
          ...{ status: monitorStates[state], time: timeOf(at) },
          ...{ msg: '', ping: state === 'up' ? 20 + at : null },
        })),
      ]),
    ),
    uptimeList: Object.fromEntries(
      monitors.flatMap(({ id, uptime }) => (uptime === undefined ? [] : [[`${id}_24`, uptime]])),
    ),
  }
}
