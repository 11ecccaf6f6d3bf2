import { useEffect } from 'react'
import { readStored, store } from '../storage.ts'
import { arrivedWith } from './arrival.ts'

/** Who invited this browser, if anyone did. */
export function invitedBy(): string {
  return readInviteCode(readStored('aff')) ?? ''
}

export function readInviteCode(text: string | null | undefined): string | undefined {
  return text && /^[\w-]{1,32}$/.test(text) ? text : undefined
}

/** Keeps the code of an invitation for whoever registers later. */
export function useInviteCode(path: string, search: { aff?: string }): void {
  const code = readInviteCode(arrivedWith(path).get('aff')) ?? readInviteCode(search.aff)
  useEffect(() => {
    if (code) store('aff', code)
  }, [code])
}
