import { parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { LARGEST_JSON } from '../../relay/request/read-body.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import { LineSplitter } from './split-lines.ts'

/**
 * The same lines as `read` wants them, while they come. Fewer than there should be are no whole answer: what comes
 * without a length and is cut looks no different from what has ended.
 */
export function rewriteLines(
  body: ReadableStream<Uint8Array>,
  read: (line: string) => string,
  least = 0,
): ReadableStream<Uint8Array> {
  return streamOf(readLines(body, read, least))
}

async function* readLines(
  body: ReadableStream<Uint8Array>,
  read: (line: string) => string,
  least: number,
): AsyncGenerator<Uint8Array, void> {
  const lines = new LineSplitter(LARGEST_JSON)
  let count = 0
  const readAny = (line: string | undefined): string => {
    if (line === undefined) throw new AppError('request.too-large', { limit: LARGEST_JSON })
    if (line === '') return ''
    count++
    return read(line)
  }
  for await (const chunk of body) {
    let out = ''
    for (const line of lines.push(chunk)) out += `${readAny(line)}\n`
    if (out !== '') yield Buffer.from(out)
    // What waits in the socket comes without a pause, and others want their turn.
    await Bun.sleep(0)
  }
  const rest = lines.end()
  const last = readAny(rest)
  // One that was cut is none.
  if (rest && !parseObject(rest)) count--
  if (count < least) throw new UpstreamFailure({ without: 'empty' })
  if (last !== '') yield Buffer.from(last)
}

function streamOf(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return()
    },
  })
}
