import { type JsonObject, parseExactly } from '../../dialects/json.ts'

/** A frame on its way to the client; it goes when all of its pieces are judged. */
export interface Frame {
  readonly text: string
  readonly event: string
  readonly json: JsonObject | undefined
  unjudged: number
  isChanged: boolean
}

const blankLine = /\r\n\r\n|\n\n|\r\r/g

export function splitFrames(text: string): string[] {
  const frames: string[] = []
  let start = 0
  for (const { index, 0: mark } of text.matchAll(blankLine)) {
    frames.push(text.slice(start, index + mark.length))
    start = index + mark.length
  }
  if (start < text.length) frames.push(text.slice(start))
  return frames
}

export function readFrame(text: string): Frame {
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

/** As it came, unless something in it was changed. */
export function writeFrame({ text, event, json, isChanged }: Frame): string {
  if (!isChanged) return text
  return `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(json)}\n\n`
}
