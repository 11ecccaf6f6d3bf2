// Copying goes through the clipboard; where a browser refuses that, a dialog shows the text to copy by hand.

import { shellText } from '../../locales/catalogue.ts'
import { translate } from '../../text.ts'
import { toast } from '../layers/toast.ts'

let pending: string | null = null
const listeners = new Set<() => void>()

/** Whether it is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(translate(shellText)('copy.done'))
    return true
  } catch {
    setPending(text)
    return false
  }
}

export const manualCopy = {
  read: () => pending,
  close: () => setPending(null),
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function setPending(text: string | null): void {
  pending = text
  for (const listener of listeners) listener()
}
