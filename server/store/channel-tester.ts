import type { Language } from '../../contract/language.ts'

export interface TestOptions {
  /** As callers name it; the channel's own choice when not given. */
  readonly model?: string | undefined
  readonly language?: Language
  readonly signal?: AbortSignal
}

/** How a test went. `message` is for people: nothing of the key or the address is in it. */
export interface TestOutcome {
  readonly ok: boolean
  readonly message: string
  readonly ms: number
  /** Whether it was asked for a picture, which takes its time however good the channel is. */
  readonly drew: boolean
  readonly model: string
  /** False when there was nothing to ask the upstream. */
  readonly asked: boolean
  /** Whether the upstream said that the key is of no use any more, and the channel has no other. */
  readonly keyUnusable: boolean
  /** The channel as it was asked; it has another one after any change of how it is used. */
  readonly mark: string
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Whoever can send a channel something small: the relay is, for those who manage channels and may not know it. */
export interface ChannelTester {
  test(channelId: number, options: TestOptions): Promise<TestOutcome>
  /**
   * Takes a channel out of service and tells its operator; false when it was out already, or is not any more what the
   * reason was found out of.
   */
  disable(channelId: number, reason: string, mark: string): Promise<boolean>
}
