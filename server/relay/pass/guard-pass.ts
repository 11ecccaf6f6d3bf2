import { AppError } from '../../errors.ts'
import { refusesUnasked, type SideRules } from '../guards/guards.ts'
import type { Reading } from '../guards/read-request.ts'
import type { RelayParts } from '../parts.ts'
import type { PassCall } from './pass-call.ts'
import { isReadable, readPass, readTexts } from './read-texts.ts'

/** Whether rules have to see what is sent, and can. */
export function isToBeRead(request: Request, input: SideRules | undefined): boolean {
  return input !== undefined && isReadable(request.headers.get('content-type') ?? '')
}

/** The texts of a call, or the refusal of one that has something in it that nobody can read. */
export function readStrictly(
  parts: RelayParts,
  call: PassCall,
  input: SideRules | undefined,
): Reading<PassCall> {
  const reading = readPass(call)
  return {
    ...reading,
    places() {
      const { held, length, type } = call.body
      if (length !== 0 && !(held && readTexts(held, type))) refuseUnread(parts, input)
      return reading.places()
    },
  }
}

/** Pictures, sound, streams and the like pass rules unread, unless the operator wants none of that. */
export function refuseUnread({ settings }: RelayParts, rules: SideRules | undefined): void {
  if (!rules) return
  if (settings.get('GuardsRefuseUnread') || rules.asked.some(refusesUnasked))
    throw new AppError('guard.unread-pass')
}
