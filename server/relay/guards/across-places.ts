import type { Finding } from '../../../contract/guards/judge.ts'
import type { TextPlace } from '../request/spoken-texts.ts'

/** Something that begins in one place and ends in another. */
interface Across {
  readonly finding: Finding
  /** What of it stands in which place: the first gets the mask, and the others lose their part. */
  readonly parts: ReadonlyMap<number, Finding>
}

/** Scripts that write words without a blank between them. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** What stands between a text and the one before it, where nobody has written that: the end of a word. */
function seamBefore(text: string): string {
  return text === '' || /^\s/.test(text) || UNSPACED.test(text) ? '' : ' '
}

/** The same place as one that others come before. */
export function behindOthers(place: TextPlace): TextPlace {
  const seam = seamBefore(place.text)
  return {
    text: seam + place.text,
    put: text => place.put(text.startsWith(seam) ? text.slice(seam.length) : text),
  }
}

/**
 * What lies across the borders of texts that go on in each other. A border may stand between two words or within one, so
 * they are read both ways.
 */
export function findAcross(
  places: readonly TextPlace[],
  judge: (text: string) => readonly Finding[],
): readonly Across[] {
  if (!places.some(({ goesOn }) => goesOn)) return []
  const found = new Map<string, Across>()
  for (const run of runsOf(places)) {
    const texts = run.map(at => places[at]?.text ?? '')
    const joined = new Map(
      [seamBefore, () => ''].map(seamOf => join(texts, seamOf)).map(one => [one.text, one]),
    )
    for (const { text, starts } of joined.values())
      for (const finding of judge(text)) {
        const parts = partsOf(finding, run, texts, starts)
        const [[at, first] = []] = parts
        if (parts.size > 1)
          found.set(JSON.stringify([finding.rule.name, at, first?.start]), { finding, parts })
      }
  }
  return [...found.values()]
}

/** Indexes of the places that go on in each other. */
function runsOf(places: readonly TextPlace[]): number[][] {
  const runs: number[][] = []
  for (const [at, { goesOn }] of places.entries()) {
    if (goesOn) runs.at(-1)?.push(at)
    else runs.push([at])
  }
  return runs.filter(({ length }) => length > 1)
}

function join(texts: readonly string[], seamOf: (text: string) => string) {
  let text = ''
  const starts: number[] = []
  for (const one of texts) {
    text += starts.length === 0 ? '' : seamOf(one)
    starts.push(text.length)
    text += one
  }
  return { text, starts }
}

function partsOf(
  finding: Finding,
  run: readonly number[],
  texts: readonly string[],
  starts: readonly number[],
): Map<number, Finding> {
  const parts = new Map<number, Finding>()
  for (const [nth, at] of run.entries()) {
    const from = starts[nth] ?? 0
    const start = Math.max(0, finding.start - from)
    const end = Math.min(texts[nth]?.length ?? 0, finding.end - from)
    if (start < end) parts.set(at, { ...finding, start, end, mask: parts.size === 0 ? finding.mask : '' })
  }
  return parts
}
