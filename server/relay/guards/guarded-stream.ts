import {
  type Finding,
  judgeText,
  masksOf,
  maskText,
  type ReadyRule,
  TooLongToSearch,
} from '../../../contract/guards/judge.ts'
import { type JsonObject, parseExactly } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import type { TextPlace } from '../request/spoken-texts.ts'
import { blocked, toMask } from './call-guard.ts'
import { type FrameStep, textsOfFrame } from './frame-texts.ts'
import type { Tally } from './tally.ts'

/** The most of one text that is held back for what may become a match. */
const MOST_HELD = 8192
/** The most of a stream that waits behind it. */
const MOST_WAITING = 256 * 1024
/** No text that is held back takes a pattern as long as this. */
const PATIENCE = 10_000_000

/** A frame on its way to the client; it goes when all of its pieces are judged. */
interface Frame {
  text: string
  readonly event: string
  readonly json: JsonObject | undefined
  unjudged: number
  isChanged: boolean
}

interface Piece {
  readonly frame: Frame
  readonly place: TextPlace
}

/** A text that comes in pieces. */
interface Lane {
  readonly speaker: string
  /** What was judged last, to be looked back at. */
  before: string
  pieces: Piece[]
}

/**
 * Frames of a client's stream on their way through the rules. Whole frames are held back for as long as the end of
 * their text may belong to something that goes on in the next; where it does, the first of them gets the mask and the
 * others lose their part. No frame is added or left out, and one in which nothing is masked passes as it came.
 */
export class GuardedStream {
  readonly #dialect: DialectName
  readonly #rules: readonly ReadyRule[]
  readonly #tally: Tally
  readonly #lanes = new Map<string, Lane>()
  #queue: Frame[] = []
  #waiting = 0
  /** Set by a rule that blocks: nothing goes out any more. */
  refusal: AppError | undefined

  constructor(dialect: DialectName, rules: readonly ReadyRule[], tally: Tally) {
    this.#dialect = dialect
    this.#rules = rules
    this.#tally = tally
  }

  /** Takes whole frames; returns those that may go. */
  push(text: string): string {
    for (const frame of splitFrames(text)) if (!this.refusal) this.#take(frame)
    return this.#release()
  }

  /** No more is to come: all that waits is judged. */
  end(): string {
    this.#close(undefined)
    return this.#release()
  }

  /** The frames that tell of a failure; what they repeat is masked, also of what was blocked. */
  rewrite(text: string): string {
    return splitFrames(text)
      .map(raw => {
        const frame = readFrame(raw)
        if (frame.json) this.#repeat(frame, textsOfFrame(this.#dialect, frame.json).repeated, true)
        return write(frame)
      })
      .join('')
  }

  #take(raw: string): void {
    const frame = readFrame(raw)
    this.#queue.push(frame)
    this.#waiting += raw.length
    if (!frame.json) {
      if (raw.startsWith('data:')) this.#close(undefined)
      return
    }
    const { steps, repeated } = textsOfFrame(this.#dialect, frame.json)
    for (const step of steps) this.#step(frame, step)
    this.#repeat(frame, repeated, false)
    if (this.#waiting > MOST_WAITING) this.#close(undefined)
  }

  #step(frame: Frame, step: FrameStep): void {
    if ('ends' in step) return this.#close(step.ends)
    const { place, speaker, lane: name } = step
    for (const [other, { speaker: its }] of this.#lanes)
      if (its === speaker && other !== name) this.#closeLane(other)
    const lane = this.#lanes.get(name) ?? { speaker, before: '', pieces: [] }
    this.#lanes.set(name, lane)
    lane.pieces.push({ frame, place })
    frame.unjudged++
    this.#judge(lane, false)
  }

  #close(speaker: string | undefined): void {
    for (const [name, lane] of this.#lanes)
      if (speaker === undefined || lane.speaker === speaker) this.#closeLane(name)
  }

  #closeLane(name: string): void {
    const lane = this.#lanes.get(name)
    this.#lanes.delete(name)
    if (lane && lane.pieces.length > 0) this.#judge(lane, true)
  }

  #judge(lane: Lane, isOver: boolean): void {
    if (this.refusal) return
    const said = lane.pieces.map(({ place }) => place.text).join('')
    const isWhole = isOver || said.length > MOST_HELD
    const text = lane.before + said
    const from = lane.before.length
    const { findings, until } = this.#search(text, from, isWhole)
    const blocking = this.#rules.find(
      rule => rule.action === 'block' && findings.some(found => found.rule === rule),
    )
    if (blocking) {
      this.#tally.add(blocking.name, 'block', findings.filter(({ rule }) => rule === blocking).length)
      this.refusal = blocked('output', blocking.name)
      return
    }
    this.#settle(lane, text, findings, isWhole ? text.length : until)
  }

  #search(text: string, from: number, isWhole: boolean) {
    try {
      return judgeText(this.#rules, text, from, isWhole, { steps: PATIENCE })
    } catch (error) {
      if (!(error instanceof TooLongToSearch)) throw error
      this.refusal = new AppError('guard.too-long', { rule: error.rule.name })
      return { findings: [], until: from }
    }
  }

  /** Lets go of the pieces that are judged to their end, unless something that was found goes on in the next. */
  #settle(lane: Lane, text: string, findings: readonly Finding[], until: number): void {
    const ends: number[] = []
    let end = lane.before.length
    for (const { place } of lane.pieces) {
      end += place.text.length
      ends.push(end)
    }
    const isCut = (at: number): boolean => findings.some(({ start, end: to }) => start < at && to > at)
    let count = ends.findLastIndex(at => at <= until) + 1
    while (count > 0 && isCut(ends[count - 1] ?? 0)) count--
    if (count === 0) return
    const settled = ends[count - 1] ?? 0
    const masks = masksOf(toMask(findings))
    let start = lane.before.length
    for (const [at, piece] of lane.pieces.splice(0, count).entries()) {
      const to = ends[at] ?? start
      put(piece, cut(text, start, to, masks))
      start = to
    }
    for (const { rule, end: to } of findings) if (to <= settled) this.#tally.add(rule.name, rule.action)
    lane.before = text.slice(Math.max(0, settled - 1), settled)
  }

  /** Texts that were said in pieces before: nothing in them is counted again. */
  #repeat(frame: Frame, places: readonly TextPlace[], hidesAll: boolean): void {
    for (const place of places) {
      const { findings } = this.#search(place.text, 0, true)
      const masked = maskText(place.text, hidesAll ? findings : toMask(findings))
      if (masked === place.text) continue
      place.put(masked)
      frame.isChanged = true
    }
  }

  #release(): string {
    if (this.refusal) {
      this.#queue = []
      return ''
    }
    const count = this.#queue.findIndex(({ unjudged }) => unjudged > 0)
    const going = count < 0 ? this.#queue.splice(0) : this.#queue.splice(0, count)
    let out = ''
    for (const frame of going) {
      this.#waiting -= frame.text.length
      out += write(frame)
    }
    return out
  }
}

function put({ frame, place }: Piece, text: string): void {
  frame.unjudged--
  if (text === place.text) return
  place.put(text)
  frame.isChanged = true
}

/** A part of a text with what is masked in it; a mask stands where what it hides begins. */
function cut(text: string, start: number, end: number, masks: readonly Finding[]): string {
  let out = ''
  let at = start
  for (const { start: from, end: to, mask } of masks) {
    if (to <= at || from >= end) continue
    if (from >= start) out += text.slice(at, from) + mask
    at = Math.min(to, end)
  }
  return out + text.slice(at, end)
}

const blankLine = /\r\n\r\n|\n\n|\r\r/g

function splitFrames(text: string): string[] {
  const frames: string[] = []
  let start = 0
  for (const { index, 0: mark } of text.matchAll(blankLine)) {
    frames.push(text.slice(start, index + mark.length))
    start = index + mark.length
  }
  if (start < text.length) frames.push(text.slice(start))
  return frames
}

function readFrame(text: string): Frame {
  const lines = text.split(/\r\n|\n|\r/)
  const readLine = (line: string): string => line.slice(line.indexOf(':') + 1).replace(/^ /, '')
  const data = lines.filter(line => line.startsWith('data:')).map(readLine)
  const event =
    lines
      .filter(line => line.startsWith('event:'))
      .map(readLine)
      .at(-1) ?? ''
  return { text, event, json: parseExactly(data.join('\n')), unjudged: 0, isChanged: false }
}

function write({ text, event, json, isChanged }: Frame): string {
  if (!isChanged) return text
  return `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(json)}\n\n`
}
