/** Turns bytes, cut anywhere, into frames. Made for one answer. */
export interface FrameReader {
  push(bytes: Uint8Array): void
  /** The connection ended; a last frame without its end mark is read all the same. */
  end(): void
}

/** How a stream's frames lie in its bytes. */
export interface Framing {
  /** The content types that say so, in lower case, without parameters. */
  readonly types: readonly string[]
  /** `event` is '' where frames have no name. `skim` may be left unasked. */
  createReader(onFrame: (event: string, data: string) => void, skim?: Skim): FrameReader
}

/**
 * Asked with a frame as it lies in a longer text, before it is cut out of that. True: it has been dealt with,
 * and is not to be handed on.
 */
export type Skim = (event: string, text: string, start: number, end: number) => boolean
