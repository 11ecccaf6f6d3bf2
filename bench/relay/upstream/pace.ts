interface Paced {
  readonly sink: ReadableStreamDirectController
  readonly frames: readonly string[]
  at: number
  done(): void
}

/** Every stream gets a frame each time its turn comes; the turns follow each other a timer's tick apart. */
const TURNS = 4
const turns = Array.from({ length: TURNS }, () => new Set<Paced>())
let next = 0
let timer: Timer | undefined

/** Sends the frames one by one, some milliseconds apart; resolves after the last. */
export function pace(sink: ReadableStreamDirectController, frames: readonly string[]): Promise<void> {
  return new Promise(done => {
    const stream = { sink, frames, at: 0, done }
    send(stream)
    turns[next++ % TURNS]?.add(stream)
    timer ??= setInterval(takeTurn, 1)
  })
}

let turn = 0

function takeTurn(): void {
  const streams = turns[turn++ % TURNS]
  for (const stream of streams ?? []) if (!send(stream)) streams?.delete(stream)
  if (turns.some(({ size }) => size > 0)) return
  clearInterval(timer)
  timer = undefined
}

/** False when that was the last, or nobody listens any more. */
function send(stream: Paced): boolean {
  const frame = stream.frames[stream.at++]
  try {
    if (frame !== undefined) {
      stream.sink.write(frame)
      stream.sink.flush()
      return true
    }
    stream.sink.close()
  } catch {
    // The listener hung up.
  }
  stream.done()
  return false
}
