import { log } from '../../log.ts'

const AT_A_TURN = 100

/** Files of those whose account is deleted: their vendor would keep them for ever. Any number of nodes may do so. */
export async function deleteLeft<File extends { readonly mark: string; readonly id: string }>(
  leftAfter: (mark: string, most: number) => Promise<readonly File[]>,
  deleteThere: (file: File) => Promise<void>,
): Promise<void> {
  let after = ''
  for (;;) {
    const left = await leftAfter(after, AT_A_TURN)
    for (const file of left)
      await deleteThere(file).catch(error =>
        log.warn('a file of a deleted user could not be deleted; it is tried again', {
          file: file.id,
          error,
        }),
      )
    const last = left.at(-1)
    if (!last) return
    after = last.mark
  }
}
