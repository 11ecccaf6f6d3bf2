import { type FakeVideos, startOpenaiVideos } from '../upstreams/openai-videos/start-openai-videos.ts'
import { startArk } from '../upstreams/videos/ark.ts'
import { startHailuo } from '../upstreams/videos/hailuo.ts'
import { startJimeng } from '../upstreams/videos/jimeng.ts'
import { startKling } from '../upstreams/videos/kling.ts'
import { startVeo } from '../upstreams/videos/veo.ts'
import type { FakeVideoVendor } from '../upstreams/videos/video-place.ts'
import { startVidu } from '../upstreams/videos/vidu.ts'
import { startWan } from '../upstreams/videos/wan.ts'
import { type Answer, looksWhenTold, openTaskHouse, type TaskHouse } from './house.ts'

/** A vendor by the type of its channel: a model, how long it makes one by itself, and who. */
export interface Vendor {
  readonly name: string
  readonly type: number
  readonly model: string
  readonly usual: number
  /** Another length that it has. */
  readonly other: number
  readonly by: Maker
}

/** What a second of any of them costs, unless it says otherwise. */
export const SECOND = 50_000
export const PNG = `data:image/png;base64,${Buffer.from('\x89PNG picture').toString('base64')}`

const starts = {
  ark: startArk,
  kling: startKling,
  vidu: startVidu,
  veo: startVeo,
  hailuo: startHailuo,
  wan: startWan,
  jimeng: startJimeng,
} as const
type Maker = keyof typeof starts

/** Everybody who makes videos, at work. */
export type Places = Readonly<Record<Maker, FakeVideoVendor>> & { readonly sora: FakeVideos }

export const vendors: readonly Vendor[] = [
  { name: 'Doubao', type: 54, model: 'doubao-seedance-1-5-pro-251215', usual: 5, other: 10, by: 'ark' },
  { name: 'VolcEngine', type: 45, model: 'my-seedance', usual: 5, other: 12, by: 'ark' },
  { name: 'Kling', type: 50, model: 'kling-v2-6', usual: 5, other: 10, by: 'kling' },
  { name: 'Vidu', type: 52, model: 'viduq2', usual: 5, other: 8, by: 'vidu' },
  { name: 'Veo', type: 24, model: 'veo-3.1-generate-preview', usual: 8, other: 6, by: 'veo' },
  { name: 'Hailuo', type: 35, model: 'MiniMax-Hailuo-2.3', usual: 6, other: 10, by: 'hailuo' },
  { name: 'Wan', type: 17, model: 'wan2.6-t2v', usual: 5, other: 15, by: 'wan' },
  { name: 'Jimeng', type: 51, model: 'jimeng_ti2v_v30_pro', usual: 5, other: 10, by: 'jimeng' },
]
/** Served by the same channel. */
const besides: Readonly<Record<string, readonly string[]>> = {
  'my-seedance': ['film'],
  viduq2: ['vidu2.0'],
  'wan2.6-t2v': ['wan2.7-t2v', 'wan2.2-kf2v-flash'],
  jimeng_ti2v_v30_pro: ['jimeng_vgfm_t2v_l20'],
}
const SEEDANCE = 'doubao-seedance-1-0-pro-250528'
export const names = { 'my-seedance': SEEDANCE, film: SEEDANCE }
/** Kinds that cost otherwise. */
const dearer = {
  ...{ 'my-seedance:1080p': 0.2, 'kling-v2-6:pro': 0.3 },
  ...{ 'kling-v2-6:sound': 0.2, 'kling-v2-6:pro:sound': 0.6 },
  ...{ 'their-sora:pro': 0.3, 'their-sora:1080p': 0.2 },
}

export interface VideoHouse extends TaskHouse {
  readonly places: Places
  create(body: object, path?: string): Promise<Answer>
  /** A video in OpenAI's form. */
  show(id: string): Promise<Answer['json']>
  /** With the payer's key, unless another or none is given. */
  fetch(address: string, key?: string, headers?: Record<string, string>): Promise<Response>
  /** What a strict vendor would have refused, but for what tests ask for on purpose. */
  complaints(): string[]
}

export async function openVideoHouse(): Promise<VideoHouse> {
  const started = Object.entries(starts).map(([name, start]) => [name, start()])
  const places = { ...Object.fromEntries(started), sora: startOpenaiVideos('sk-sora-55aa') } as Places
  const { sora } = places
  const house = await openTaskHouse(async rig => {
    const theirs = {
      ...{ 'their-sora': 'sora-2', 'gateway-seedance': SEEDANCE, 'gateway-film': SEEDANCE },
      ...{ 'gateway-veo': 'veo-3.1-generate-preview', 'gateway-hailuo': 'MiniMax-Hailuo-2.3' },
    }
    const prices: Record<string, number> = { ...dearer, 'sora-2': 0.1 }
    for (const name of Object.keys(theirs)) prices[name] = 0.1
    for (const { type, model, by } of vendors) {
      const { url, key } = places[by]
      const models = [model, ...(besides[model] ?? [])]
      for (const name of models) prices[name] = 0.1
      await rig.addChannel({ type, baseUrl: url, key, models, mapping: names })
    }
    const speaker = { baseUrl: sora.url, key: sora.key, mapping: theirs }
    await rig.addChannel({ ...speaker, type: 55, models: ['sora-2'] })
    await rig.addChannel({ ...speaker, type: 60, models: Object.keys(theirs) })
    await rig.setOption('ModelPrice', JSON.stringify(prices))
  }, looksWhenTold)
  return {
    ...house,
    places,
    create: (body, path = '/v1/videos') => house.call('POST', path, body),
    show: async id => (await house.call('GET', `/v1/videos/${id}`)).json,
    fetch(address, key = house.payer.key, more = {}) {
      const url = address.startsWith('/') ? house.url + address : address
      return fetch(url, { headers: { ...(key && { authorization: `Bearer ${key}` }), ...more } })
    },
    complaints: () =>
      Object.values(places)
        .flatMap(place => place.complaints)
        .filter(text => !/not found|: "?599|: 14377/.test(text)),
    async close() {
      await house.close()
      for (const place of Object.values(places)) await place.stop()
    },
  }
}
