import type { Problem } from '../../dialects/spec.ts'

/** In the vendor's form: a page that is not there, or a wrong address, says nothing of what was asked after. */
export function saysUnknown({ status, type, code, message }: Problem): boolean {
  return (
    status === 404 && Boolean(type || code) && /not.?found|does not exist|no such|no \w+ found/i.test(message)
  )
}
