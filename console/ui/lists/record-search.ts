import { readInteger, readPage, readText } from '../../search-params.ts'

/** What lists of long jobs are narrowed down by. Times in seconds; without any, what is usual for the list. */
export interface RecordSearch {
  p?: number
  id?: string
  channel?: number
  start?: number
  end?: number
}

export function readRecordSearch(search: Readonly<Record<string, unknown>>): RecordSearch {
  return {
    ...readPage(search),
    ...readText(search, 'id'),
    ...readInteger(search, 'channel'),
    ...readInteger(search, 'start'),
    ...readInteger(search, 'end'),
  }
}
