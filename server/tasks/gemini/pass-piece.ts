import { AppError } from '../../errors.ts'
import type { UploadStep } from './read-upload.ts'

interface Receiving {
  /** Of the whole file, as it was announced. */
  readonly bytes: number
  readonly onReceived: () => void
  /** Where it is read as well. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined
  /** Aborted when the rest of it is not to be had, so that the vendor takes none of it for the end. */
  readonly broken: AbortController
}

/** A piece of a file on its way through, at the vendor's pace: no more of it is held than a chunk. */
export function passPiece(
  body: ReadableStream<Uint8Array>,
  step: UploadStep,
  { bytes, onReceived, onBytes, broken }: Receiving,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let end = step.offset
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        end += value?.length ?? 0
        if (end > bytes || (done && isShort(step, end, bytes))) throw new AppError('gemini.offset', { bytes })
        if (value) onBytes?.(value)
        if (value) controller.enqueue(value)
        if (!done) return
        onReceived()
        controller.close()
      } catch (error) {
        const failure = error instanceof AppError ? error : new AppError('task.interrupted', {}, error)
        broken.abort(failure)
        controller.error(failure)
      }
    },
    async cancel() {
      await reader.cancel().catch(() => {})
    },
  })
}

/** Before any of it is sent on, where its length is told. */
export function refuseWrongPiece(step: UploadStep, bytes: number): void {
  const { command, offset, length } = step
  if (!command.startsWith('upload')) return
  const end = offset + (length ?? 0)
  if (end > bytes || (length !== undefined && isShort(step, end, bytes)))
    throw new AppError('gemini.offset', { bytes })
}

/** The last piece ends where the file was said to end. */
function isShort({ command }: UploadStep, end: number, bytes: number): boolean {
  return command === 'upload, finalize' && end !== bytes
}
