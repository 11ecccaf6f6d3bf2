import { expect } from 'bun:test'
import { startMidjourney } from '../upstreams/midjourney/start-midjourney.ts'
import { looksWhenTold, openTaskHouse } from './house.ts'

const models = [
  'mj_imagine',
  'mj_variation',
  'mj_reroll',
  'mj_blend',
  'mj_upscale',
  'mj_describe',
  'mj_upload',
  'swap_face',
  'mj_modal',
  'mj_zoom',
  'mj_shorten',
  'mj_high_variation',
  'mj_low_variation',
  'mj_pan',
  'mj_inpaint',
  'mj_custom_zoom',
  'mj_edits',
  'mj_video',
]

/** A gateway with one drawing service, and what tests of it have in common. */
export async function openDrawingHouse() {
  const upstream = startMidjourney()
  const house = await openTaskHouse(async rig => {
    await rig.addChannel({ type: 5, baseUrl: upstream.url, key: upstream.key, models })
  }, looksWhenTold)

  /** The upstream's id of a task of ours. */
  async function upstreamId(id: string): Promise<string> {
    const run = await house.store.db
      .selectFrom('task_runs')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return run.upstream_id
  }

  async function draw(prompt = 'a cat'): Promise<{ id: string; at: string }> {
    const { json } = await house.call('POST', '/mj/submit/imagine', { prompt })
    return { id: json.result, at: await upstreamId(json.result) }
  }

  async function drawn(): Promise<{ id: string; at: string }> {
    const drawing = await draw()
    upstream.succeed(drawing.at)
    await house.poll()
    return drawing
  }

  /** The last submission that the upstream was sent. */
  const bodySent = () => upstream.requests.findLast(asked => asked.path.includes('/mj/submit'))

  /** Nothing is left that nobody expected, in the books or at the upstream. */
  async function close(): Promise<void> {
    expect(upstream.complaints.filter(text => !text.includes('button'))).toEqual([])
    expect(await house.differences()).toEqual([])
    await house.close()
    await upstream.stop()
  }

  return { upstream, house, upstreamId, draw, drawn, bodySent, close }
}

export type DrawingHouse = Awaited<ReturnType<typeof openDrawingHouse>>
