import { useEffect, useRef, useState } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { askPrompt, type Trial, TrialRefused, type Tried } from './ask-prompt.ts'

interface State {
  readonly isPending?: boolean
  readonly tried?: Tried
  readonly error?: string
}

/** Not a change that a toast would tell of: what comes of it stands below, and leaving is no failure. */
export function useTrial(): State & { run(trial: Trial): void } {
  const t = useText(shellText)
  const [state, setState] = useState<State>({})
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => () => leaving.current?.abort(), [])
  const run = (trial: Trial) => {
    leaving.current?.abort()
    const own = new AbortController()
    leaving.current = own
    setState({ isPending: true })
    askPrompt(trial, own.signal)
      .then(tried => setState({ tried }))
      .catch(error => {
        if (own.signal.aborted) return
        setState({ error: error instanceof TrialRefused ? error.message : t('error.unreachable') })
      })
  }
  return { ...state, run }
}
