import { cutAtStops } from '../dialects/cut-at-stops.ts'
import { findToolNames, renameTools, renameToolsBack } from '../dialects/rename-tools.ts'
import type { AnswerDialect, NeutralRequest } from '../dialects/spec.ts'

/** What the upstream's dialect cannot say and need not: it is done here instead. */
export interface Bridge {
  /** A request without that. */
  fit(request: NeutralRequest): NeutralRequest
  /** Reads answers and does it to them. */
  readonly dialect: AnswerDialect
}

export function bridgeTo(dialect: AnswerDialect, asked: NeutralRequest): Bridge {
  const { stop = [] } = asked
  const told = dialect.takeStops?.(stop) ?? stop
  const untold = stop.filter(text => text !== '' && !told.includes(text))
  const names = findToolNames(asked, dialect.toolNames)
  const cutting = untold.length > 0 ? cutAtStops(dialect, untold) : dialect
  return {
    fit(request) {
      const stopped = told === stop ? request : { ...request, stop: told }
      return names ? renameTools(stopped, names) : stopped
    },
    dialect: names ? renameToolsBack(cutting, names) : cutting,
  }
}
