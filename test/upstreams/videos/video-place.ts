import { type Asked, type FakeServer, serveFake, Wrong } from '../../tasks/fake-server.ts'

/** The head of an MP4 file, which nobody looks further into. */
export const MADE = Buffer.from('000000206674797069736f6d0000020069736f6d69736f32', 'hex')

export type Stage = 'waiting' | 'working' | 'done' | 'failed'

/** One video as its vendor has it. */
export interface MadeVideo {
  readonly id: string
  readonly asked: Record<string, unknown>
  stage: Stage
  reason: string
  /** Where it says that it lies, instead of where it does. */
  lies: string | undefined
}

/** A vendor of videos, whose work the test does. */
export interface FakeVideoVendor extends FakeServer {
  readonly key: string
  readonly videos: Map<string, MadeVideo>
  /** The one that was ordered last. */
  last(): MadeVideo
}

interface Vendor {
  readonly key: string
  readonly newId: (count: number) => string
  /** Whatever else its strict form wants. */
  readonly answer: (asked: Asked, place: Place) => Response | Promise<Response>
}

export interface Place {
  readonly videos: Map<string, MadeVideo>
  readonly url: string
  add(asked: Record<string, unknown>): MadeVideo
  /** Where the bytes of one lie. */
  fileOf(video: MadeVideo): string
}

const FILES = '/made/'

/** Its files lie beside it, at addresses that need no key. */
export function startVideoPlace({ key, newId, answer }: Vendor): FakeVideoVendor {
  const videos = new Map<string, MadeVideo>()
  const server = serveFake(asked => (asked.path.startsWith(FILES) ? sendFile(asked) : answer(asked, place)))
  const place: Place = {
    videos,
    url: server.url,
    add(asked) {
      const video: MadeVideo = {
        id: newId(videos.size + 1),
        asked,
        stage: 'waiting',
        reason: '',
        lies: undefined,
      }
      videos.set(video.id, video)
      return video
    },
    fileOf: ({ id, lies }) => lies ?? `${server.url}${FILES}${encodeURIComponent(id)}.mp4?sign=${key.length}`,
  }

  function sendFile(asked: Asked): Response {
    if (asked.headers.get('authorization') ?? asked.headers.get('x-goog-api-key'))
      throw new Wrong(400, 'a key', 'a key came with a file')
    if (asked.query.get('sign') === null) return new Response('expired', { status: 403 })
    const range = asked.headers.get('range')
    const headers = { 'content-type': 'video/mp4' }
    return range === 'bytes=0-3'
      ? new Response(MADE.subarray(0, 4), {
          status: 206,
          headers: { ...headers, 'content-range': `bytes 0-3/${MADE.length}` },
        })
      : new Response(MADE, { headers })
  }

  return Object.assign(server, {
    key,
    videos,
    last() {
      const video = [...videos.values()].at(-1)
      if (!video) throw new Error('nothing was ordered')
      return video
    },
  })
}

/** Fields and what they may be; anything else is refused as the vendor does. */
export function checkFields(
  given: Record<string, unknown>,
  known: Readonly<Record<string, (value: unknown) => boolean>>,
  refuse: (text: string) => Wrong,
): void {
  for (const [name, value] of Object.entries(given)) {
    const isGood = known[name]
    if (!isGood) throw refuse(`unknown field ${name}`)
    if (!isGood(value)) throw refuse(`field ${name} is invalid: ${JSON.stringify(value)}`)
  }
}

export const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
export const isFlag = (value: unknown): boolean => typeof value === 'boolean'
export const isWhole = (value: unknown): boolean => Number.isInteger(value)
export const oneOf =
  (...choices: readonly unknown[]) =>
  (value: unknown): boolean =>
    choices.includes(value)
/** Either an address of the web or bytes in base64, with or without the head that says what they are. */
export const isPicture =
  (head: 'with head' | 'bare') =>
  (value: unknown): boolean =>
    typeof value === 'string' &&
    (/^https?:\/\/\S+$/.test(value) ||
      (head === 'bare' ? /^[A-Za-z0-9+/]+=*$/ : /^data:image\/[a-z]+;base64,[A-Za-z0-9+/]+=*$/).test(value))
