import { closeSync, openSync } from 'node:fs'

/** What a thread opens until it runs, and some for those who open something at the same moment. */
const NEEDED = 32

/** Whether a thread can be started: the runtime ends the whole process where one finds no file left to open. */
export function hasSpareFiles(): boolean {
  const opened: number[] = []
  try {
    while (opened.length < NEEDED) opened.push(openSync('/dev/null', 'r'))
    return true
  } catch {
    return false
  } finally {
    for (const file of opened) closeSync(file)
  }
}
