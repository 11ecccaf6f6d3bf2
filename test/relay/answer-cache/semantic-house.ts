import { expect } from 'bun:test'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { tellMeanings } from '../../upstreams/tell-meanings.ts'
import type { Rig } from '../rig.ts'
import type { Asking, Way } from '../ways.ts'
import { type CacheHouse, type Called, openCacheHouse } from './cache-house.ts'

export const EMBEDDER = 'text-embedding-3-large'

/** A house in which questions are compared, by a model at a channel of its own in a group that is nobody's. */
export interface SemanticHouse extends CacheHouse {
  readonly embedder: FakeUpstream
  /** A call for which the answer to what means the same will do. */
  like(
    way: Way,
    text: string,
    asking?: Partial<Asking> & { readonly cache?: string; readonly rawBody?: string },
  ): Promise<Called>
}

export async function openSemanticHouse(
  seed: (books: Omit<Rig, 'program' | 'url'>, at: (way: Way) => FakeUpstream) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<SemanticHouse> {
  const embedder = await startOpenai({ key: 'sk-embeds' })
  embedder.always(tellMeanings)
  const house = await openCacheHouse(async (books, at) => {
    const { url: baseUrl, key } = embedder
    await books.addChannel({ type: 1, baseUrl, key, models: [EMBEDDER], groups: ['inner'] })
    await books.setOption('SemanticCacheModel', EMBEDDER)
    await seed(books, at)
  }, environment)
  return {
    ...house,
    embedder,
    like: (way, text, asking) => house.call(way, { cache: 'semantic', text, ...asking }),
    async close() {
      await house.close()
      expect(embedder.complaints).toEqual([])
      await embedder.stop()
    },
  }
}
