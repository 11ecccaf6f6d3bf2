import { needProgram } from '../../test/services/find-program.ts'
import { runToEnd } from './running.ts'

export interface Load {
  readonly connections: number
  readonly seconds: number
  readonly core: number
  /** How long an answer may take before it spoils the round; without it two seconds. */
  readonly patienceSeconds?: number
  /** A Lua file that says what to send; without it a GET. */
  readonly script?: string
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly medianMs: number
  readonly p99Ms: number
}

/** One round of wrk, keep-alive. An answer other than 2xx or a broken connection spoils the round: it throws. */
export async function runWrk(url: string, load: Load): Promise<LoadResult> {
  const { connections, seconds, core, patienceSeconds, script } = load
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...(script ? ['-s', script] : [])]
  if (patienceSeconds !== undefined) options.push('--timeout', `${patienceSeconds}s`)
  const command = [needProgram('wrk'), ...options, url]
  const text = await runToEnd(command, (seconds + 20) * 1000, { core })
  const fault = /^.*(Socket errors|Non-2xx).*$/m.exec(text)?.[0].trim()
  if (fault) throw new Error(`${url} under load: ${fault}`)
  const figure = (pattern: RegExp) => {
    const found = pattern.exec(text)
    if (!found?.[1]) throw new Error(`wrk said something new:\n${text}`)
    return Number(found[1]) * ({ us: 0.001, ms: 1, s: 1000 }[found[2] ?? 'ms'] ?? 1)
  }
  return {
    requests: figure(/(\d+) requests in/),
    perSecond: figure(/Requests\/sec:\s+([\d.]+)/),
    medianMs: figure(/50%\s+([\d.]+)(us|ms|s)/),
    p99Ms: figure(/99%\s+([\d.]+)(us|ms|s)/),
  }
}
