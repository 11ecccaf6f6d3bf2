import {
  type Finding,
  judgeText,
  masksOf,
  maskText,
  type ReadyRule,
  TooLongToSearch,
} from '../../../contract/guards/judge.ts'
import { AppError } from '../../errors.ts'
import type { TextPlace } from '../request/spoken-texts.ts'
import { blocked, toMask } from './call-guard.ts'
import { type Frame, readFrame, splitFrames, writeFrame } from './frame.ts'
import { type FrameStep, type StreamedPlace, textsOfFrame, type Wording } from './frame-texts.ts'
import { isNoJson, type JsonPlace, jsonBegin, judgeJson, placeAfter } from './judge-json.ts'
import type { Tally } from './tally.ts'

/** The most of one text that is held back for what may become a match. */
const MOST_HELD = 8192
/** The most of a stream that waits behind it. */
const MOST_WAITING = 256 * 1024
/** No text that is held back takes a pattern as long as this. */
const PATIENCE = 10_000_000

interface Piece {
  readonly frame: Frame
  readonly place: TextPlace
}

/** A text that comes in pieces. */
interface Lane {
  readonly speaker: string
  /** What was judged last, to be looked back at. */
  before: string
  /** Where in the JSON one stands that it is; undefined of words. */
  at: JsonPlace | undefined
  readonly pieces: Piece[]
}

/** How much more of a text is to come: `later` if it is known when it is over, which cannot be waited for. */
type More = 'some' | 'later' | 'none'

/**
 * Frames of a client's stream on their way through the rules. Whole frames are held back for as long as the end of
 * their text may belong to something that goes on in the next; where it does, the first of them gets the mask and the
 * others lose their part. No frame is added or left out, and one in which nothing is masked passes as it came.
 */
export class GuardedStream {
  readonly #wording: Wording
  #rules: readonly ReadyRule[]
  readonly #tally: Tally
  readonly #lanes = new Map<string, Lane>()
  /** The names of theirs, by who speaks. */
  readonly #speakers = new Map<string, Set<string>>()
  #queue: Frame[] = []
  #waiting = 0
  /** What was said may have been going on: the end of a text is not judged by itself. */
  #isCut = false
  /** Set by a rule that blocks: what came before goes out, and nothing else. */
  refusal: AppError | undefined

  constructor(wording: Wording, rules: readonly ReadyRule[], tally: Tally) {
    this.#wording = wording
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
    this.#close('')
    return this.#release()
  }

  /**
   * What was being said will never be whole. Half of something may be as good as all of it, such as of a key: where it
   * may be that, for a rule that masks or blocks, it stays back, and so does what came behind it.
   */
  breakOff(): string {
    const guarding = this.#rules.filter(({ action }) => action !== 'note')
    if (guarding.length === 0) return this.end()
    this.#rules = guarding
    this.#isCut = true
    for (const lane of this.#lanes.values()) if (lane.pieces.length > 0) this.#judge(lane, 'some')
    this.#lanes.clear()
    const out = this.#release()
    this.#queue = []
    return out
  }

  /** The frames that tell of a failure; what they repeat is masked, also of what was blocked. */
  rewrite(text: string): string {
    return splitFrames(text)
      .map(raw => {
        const frame = readFrame(raw)
        if (frame.json) this.#repeat(frame, textsOfFrame(this.#wording, frame.json).repeated, true)
        return writeFrame(frame)
      })
      .join('')
  }

  #take(raw: string): void {
    const frame = readFrame(raw)
    this.#queue.push(frame)
    this.#waiting += raw.length
    if (!frame.json) {
      if (raw.startsWith('data:')) this.#close('')
      return
    }
    const { steps, repeated } = textsOfFrame(this.#wording, frame.json)
    for (const step of steps) this.#step(frame, step)
    this.#repeat(frame, repeated, false)
    // It may hold the very words that were too much, and is never found good.
    if (this.refusal) frame.unjudged++
    if (this.#waiting > MOST_WAITING)
      for (const lane of this.#lanes.values()) if (lane.pieces.length > 0) this.#judge(lane, 'later')
  }

  #step(frame: Frame, step: FrameStep): void {
    if ('ends' in step) return this.#close(step.ends)
    frame.unjudged++
    if ('whole' in step) {
      const { whole: place } = step
      return this.#judge({ speaker: '', before: '', at: undefined, pieces: [{ frame, place }] }, 'none')
    }
    const { place, speaker, lane: name } = step
    const names = this.#speakers.get(speaker) ?? new Set()
    for (const other of names) if (other !== name) this.#closeLane(other)
    this.#speakers.set(speaker, names.add(name))
    const at = place.isJson ? jsonBegin : undefined
    const lane = this.#lanes.get(name) ?? { speaker, before: '', at, pieces: [] }
    this.#lanes.set(name, lane)
    lane.pieces.push({ frame, place })
    this.#judge(lane, 'some')
  }

  /** Of all speakers whose names begin so. */
  #close(speakers: string): void {
    for (const [speaker, names] of this.#speakers)
      if (speaker.startsWith(speakers)) for (const name of names) this.#closeLane(name)
  }

  #closeLane(name: string): void {
    const lane = this.#lanes.get(name)
    this.#lanes.delete(name)
    const names = lane && this.#speakers.get(lane.speaker)
    if (names?.delete(name) && names.size === 0) this.#speakers.delete(lane?.speaker ?? '')
    if (lane && lane.pieces.length > 0) this.#judge(lane, 'none')
  }

  #judge(lane: Lane, more: More): void {
    if (this.refusal) return
    const said = lane.pieces.map(({ place }) => place.text).join('')
    if (lane.at === jsonBegin && isNoJson(said)) lane.at = undefined
    const isWhole = more !== 'some' || said.length > MOST_HELD
    const text = lane.before + said
    const { findings, until } = this.#search(lane.at, text, lane.before.length, isWhole)
    const blocking = this.#rules.find(
      rule => rule.action === 'block' && findings.some(found => found.rule === rule),
    )
    if (blocking) {
      this.#tally.add(blocking.name, 'block', findings.filter(({ rule }) => rule === blocking).length)
      this.refusal = blocked('output', blocking.name)
      return
    }
    const isOver = more === 'none'
    const maySplit = (end: number): boolean =>
      isOver || !lane.at || placeAfter(lane.at, text.slice(0, end), isWhole) !== undefined
    this.#settle(lane, text, findings, isOver || (isWhole && !lane.at) ? text.length : until, maySplit)
  }

  #search(at: JsonPlace | undefined, text: string, from: number, isWhole: boolean) {
    const patience = { steps: PATIENCE }
    try {
      if (at) return judgeJson(this.#rules, text, at, isWhole, patience)
      return judgeText(this.#rules, text, from, isWhole, patience)
    } catch (error) {
      if (!(error instanceof TooLongToSearch)) throw error
      this.refusal = new AppError('guard.too-long', { rule: error.rule.name })
      return { findings: [], until: from }
    }
  }

  /** Lets go of the pieces that are judged to their end, unless something that was found goes on in the next. */
  #settle(
    lane: Lane,
    text: string,
    findings: readonly Finding[],
    until: number,
    maySplit: (end: number) => boolean,
  ): void {
    const ends: number[] = []
    let end = lane.before.length
    for (const { place } of lane.pieces) {
      end += place.text.length
      ends.push(end)
    }
    const isCut = (at: number): boolean => findings.some(({ start, end: to }) => start < at && to > at)
    let count = ends.findLastIndex(at => at <= until) + 1
    while (count > 0 && (isCut(ends[count - 1] ?? 0) || !maySplit(ends[count - 1] ?? 0))) count--
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
    if (!lane.at) lane.before = text.slice(Math.max(0, settled - 1), settled)
    else if (settled > 0) lane.at = placeAfter(lane.at, text.slice(0, settled), true)
  }

  /** Texts that were said in pieces before: nothing in them is counted again. */
  #repeat(frame: Frame, places: readonly StreamedPlace[], hidesAll: boolean): void {
    for (const place of places) {
      const at = place.isJson && !isNoJson(place.text) ? jsonBegin : undefined
      const { findings, until } = this.#search(at, place.text, 0, !this.#isCut)
      const said = place.text.slice(0, until)
      const masked = maskText(said, hidesAll ? findings : toMask(findings))
      if (masked === place.text) continue
      place.put(masked)
      frame.isChanged = true
    }
  }

  #release(): string {
    const count = this.#queue.findIndex(({ unjudged }) => unjudged > 0)
    const going = count < 0 ? this.#queue.splice(0) : this.#queue.splice(0, count)
    let out = ''
    for (const frame of going) {
      this.#waiting -= frame.text.length
      out += writeFrame(frame)
    }
    if (this.refusal) this.#queue = []
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
