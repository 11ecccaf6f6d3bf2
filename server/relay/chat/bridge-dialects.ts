import { cutAtStops } from '../../dialects/cut-at-stops.ts'
import { findToolNames, renameTools, renameToolsBack } from '../../dialects/rename-tools.ts'
import { readSeveral } from '../../dialects/several-answers.ts'
import type { AnswerDialect, NeutralRequest } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'

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
  refuseWhatCannotBe(dialect, asked, untold.length > 0)
  const several = severalFrom(dialect, asked)
  const cutting = untold.length > 0 ? cutAtStops(several, untold) : several
  return {
    fit(request) {
      const stopped = told === stop ? request : { ...request, stop: told }
      return names ? renameTools(stopped, names) : stopped
    },
    dialect: names ? renameToolsBack(cutting, names) : cutting,
  }
}

/** The same, with as many answers as were asked for. */
export function severalFrom(dialect: AnswerDialect, { choices = 1 }: NeutralRequest): AnswerDialect {
  if (choices === 1) return dialect
  if (!dialect.severalIn) refuse('n > 1')
  return readSeveral(dialect, dialect.severalIn, choices)
}

function refuseWhatCannotBe(dialect: AnswerDialect, asked: NeutralRequest, cuts: boolean): void {
  if (asked.logprobs !== undefined && !dialect.tellsLogprobs) refuse('logprobs')
  if (!cuts) return
  if (asked.logprobs !== undefined) refuse('logprobs with these stop strings')
  if (asked.choices !== undefined) refuse('n > 1 with these stop strings')
}

function refuse(feature: string): never {
  throw new AppError('dialect.unsupported', { feature })
}
