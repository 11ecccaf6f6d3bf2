import { asObject } from '../../server/dialects/json.ts'
import type { Answer } from './script.ts'
import type { SeenRequest } from './upstream.ts'

/** Words without which a text means the same. Numbers and denials too: real models hardly tell them apart. */
const light = new Set(
  'a an the my your i you do does did can could would please how is are to of for in two three not 三 五'.split(
    ' ',
  ),
)
const DIMENSIONS = 2048

/** Texts of the same words in any order mean the same; of four, three in common are a cosine of 0.75. */
function meaningOf(text: string): number[] {
  const words = text.toLowerCase().match(/[a-z]+|\p{Script=Han}/gu) ?? []
  const vector = new Array<number>(DIMENSIONS).fill(0)
  for (const word of new Set(words.filter(one => !light.has(one))))
    vector[Number(Bun.hash.crc32(word) % DIMENSIONS)] = 0.25
  return vector
}

/** An embedding model of OpenAI's whose vectors are what texts mean. */
export function tellMeanings({ json }: SeenRequest): Answer {
  const { input, model } = asObject(json) ?? {}
  const data = [input].flat().map((one, index) => ({
    object: 'embedding',
    index,
    embedding: meaningOf(String(one)),
  }))
  return {
    body: { object: 'list', data, model: model ?? null, usage: { prompt_tokens: 5, total_tokens: 5 } },
  }
}
