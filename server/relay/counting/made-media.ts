import { asArray, asObject, asText, parseObject } from '../../dialects/json.ts'
import type { MediaOutPart } from '../../dialects/spec.ts'

/** A picture of a megapixel; vendors count a little more. */
const PER_PICTURE = 1000
/** A twentieth of a second: 24,000 samples of two bytes make a second, and a third of that when compressed. */
const RAW_BYTES_PER_TOKEN = 2400
const BYTES_PER_TOKEN = 800

/** The tokens of what a model made that is not text, where nobody says how many. */
export function tokensOfMedia({ data, mediaType }: Pick<MediaOutPart, 'data' | 'mediaType'>): number {
  if (!mediaType.startsWith('audio/')) return PER_PICTURE
  return tokensOfSound(data.length, /pcm|l16|wav/i.test(mediaType))
}

/** Sound comes in pieces, which no dialect but OpenAI's chat has. */
export function soundIn(frame: string): number {
  if (!frame.includes('"audio"')) return 0
  let tokens = 0
  for (const choice of asArray(parseObject(frame)?.choices)) {
    const data = asText(asObject(asObject(asObject(choice)?.delta)?.audio)?.data)
    if (data) tokens += tokensOfSound(data.length, true)
  }
  return tokens
}

function tokensOfSound(base64Length: number, isRaw: boolean): number {
  return Math.ceil((base64Length * 3) / 4 / (isRaw ? RAW_BYTES_PER_TOKEN : BYTES_PER_TOKEN))
}
