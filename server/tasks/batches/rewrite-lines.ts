import { AppError } from '../../errors.ts'
import { LARGEST_JSON } from '../../relay/request/read-body.ts'
import { LineSplitter } from './split-lines.ts'

/** The same lines as `read` wants them, while they come. */
export function rewriteLines(
  body: ReadableStream<Uint8Array>,
  read: (line: string) => string,
): ReadableStream<Uint8Array> {
  return streamOf(readLines(body, read))
}

async function* readLines(
  body: ReadableStream<Uint8Array>,
  read: (line: string) => string,
): AsyncGenerator<Uint8Array, void> {
  const lines = new LineSplitter(LARGEST_JSON)
  const readAny = (line: string | undefined): string => {
    if (line === undefined) throw new AppError('request.too-large', { limit: LARGEST_JSON })
    return line === '' ? '' : read(line)
  }
  for await (const chunk of body) {
    let out = ''
    for (const line of lines.push(chunk)) out += `${readAny(line)}\n`
    if (out !== '') yield Buffer.from(out)
    // What waits in the socket comes without a pause, and others want their turn.
    await Bun.sleep(0)
  }
  const last = readAny(lines.end())
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
