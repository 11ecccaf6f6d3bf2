import type { ChatCall } from '../chat/chat-call.ts'
import { mediaOf, roughInput } from './estimate-input.ts'
import type { PictureSizes } from './picture-sizes.ts'
import { countRequest } from './request-text.ts'
import type { TokenCounter } from './token-counter.ts'

/** The tokens of a prompt whose upstream did not say; of one that cannot be put into neutral words, about. */
export async function countInput(counter: TokenCounter, call: ChatCall): Promise<number> {
  try {
    return await countRequest(counter, call.neutral())
  } catch {
    return roughInput(call.outline.textLength)
  }
}

/** Whether a prompt holds what its vendor alone can count: sound, or pictures that may be far more than is thought here. */
export function holdsUncounted(call: ChatCall, model: string, pictures: PictureSizes): boolean {
  const { images, sound } = mediaIn(call)
  return sound > 0 || (images > 0 && pictures.mayBeDear(model))
}

/** Also what is small; but not in a request that cannot be put into neutral words. */
function mediaIn(call: ChatCall): { readonly images: number; readonly sound: number } {
  try {
    const { images, audioBytes } = mediaOf(call.neutral())
    return { images, sound: audioBytes }
  } catch {
    return call.outline.media
  }
}
