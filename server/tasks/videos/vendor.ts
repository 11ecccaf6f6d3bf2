import type { Problem } from '../../dialects/spec.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { TaskAccount, TaskReport } from '../define.ts'
import type { Accepted } from '../submit.ts'
import type { VideoWish } from './wish.ts'

/** The code under which a vendor that answers so with a good status says that it has no such task. */
export const UNKNOWN_TASK = 'unknown_task'

/** Who makes videos, and how it is asked. Money, channels, time and both clients' forms are not its business. */
export interface VideoVendor extends TaskAccount {
  /** Begins one. What its vendor has no word for is refused as a feature that it lacks: another may have it. */
  readonly ask: (upstream: Upstream, wish: VideoWish, model: string) => Promise<Accepted>
  /** It takes pictures as bytes alone. */
  readonly inlinesPictures?: true
  /** How one is coming on; undefined when this is no video. */
  readonly look: (upstream: Upstream, id: string) => Promise<SeenVideo | undefined>
  /** Whether a refusal to tell means that there is none such: a page that is not there says nothing of it. */
  readonly saysUnknown: (problem: Problem) => boolean
  /** Where the bytes are; absent: where `look` says. */
  readonly locate?: (upstream: Upstream, id: string, variant: string) => Promise<Located | undefined>
  /** What there is of a video besides itself. */
  readonly variants?: readonly string[]
  readonly remix?: (upstream: Upstream, id: string, prompt: string) => Promise<Accepted>
  /** Takes it away there; absent: its vendor does not have that, and it is gone for its owner only. */
  readonly remove?: (upstream: Upstream, id: string) => Promise<void>
}

export interface SeenVideo {
  readonly report: TaskReport
  /** Where it lies, if its vendor says. Nobody else is told. */
  readonly url?: string | undefined
}

/** At an address of the vendor's own, asked with the key, or anywhere, without. */
export type Located = { readonly path: string } | { readonly url: string }
