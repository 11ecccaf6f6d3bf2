import { cutAtStops } from '../../dialects/cut-at-stops.ts'
import type { AnswerDialect } from '../../dialects/dialect.ts'
import { refuseFeature, refuseNamed } from '../../dialects/refuse.ts'
import { findToolNames, renameTools, renameToolsBack } from '../../dialects/rename-tools.ts'
import { readSeveral } from '../../dialects/several-answers.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'

/** Does here what the upstream's dialect cannot say: stop strings, names of tools, several answers. */
export interface Bridge {
  /** Takes out of a request what is done here. */
  fit(request: NeutralRequest): NeutralRequest
  /** Reads answers as the upstream's dialect does, and does it to them. */
  readonly dialect: AnswerDialect
}

export function bridgeTo(dialect: AnswerDialect, asked: NeutralRequest, hidesThoughts: boolean): Bridge {
  const { stop = [] } = asked
  const told = dialect.takeStops?.(stop) ?? stop
  const untold = untoldStops(dialect, asked)
  const names = findToolNames(asked, dialect.toolNames)
  if (asked.logprobs !== undefined && !dialect.tellsLogprobs) refuseNamed('logprobs')
  const several = severalFrom(dialect, asked)
  const cutting = cutFor(several, asked, untold, hidesThoughts)
  return {
    fit(request) {
      const stopped = told === stop ? request : { ...request, stop: told }
      return names ? renameTools(stopped, names) : stopped
    },
    dialect: names ? renameToolsBack(cutting, names) : cutting,
  }
}

/** The stop strings that the upstream cannot be told: answers are cut at them here. */
export function untoldStops(dialect: AnswerDialect, { stop = [] }: NeutralRequest): readonly string[] {
  const told = new Set(dialect.takeStops?.(stop) ?? stop)
  return stop.filter(text => text !== '' && !told.has(text))
}

/** All of them are looked for in every piece of an answer. No vendor takes nearly as many. */
const MOST_STOPS = 64
const LONGEST_STOPS = 8192

/** The same dialect, with answers cut at these stop strings. */
export function cutFor(
  dialect: AnswerDialect,
  asked: NeutralRequest,
  stops: readonly string[],
  hidesThoughts: boolean,
): AnswerDialect {
  if (stops.length === 0) return dialect
  if (stops.length > MOST_STOPS || lengthOf(stops) > LONGEST_STOPS)
    refuseFeature('feature.most-stops', { most: MOST_STOPS, length: LONGEST_STOPS })
  if (asked.logprobs !== undefined) refuseFeature('feature.with-stops', { name: 'logprobs' })
  if ((asked.choices ?? 1) > 1) refuseFeature('feature.with-stops', { name: 'n > 1' })
  return cutAtStops(dialect, stops, hidesThoughts)
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}

/** The same dialect, reading as many answers as were asked for. */
export function severalFrom(dialect: AnswerDialect, { choices = 1 }: NeutralRequest): AnswerDialect {
  if (choices === 1) return dialect
  if (!dialect.severalIn) refuseFeature('feature.several-answers')
  return readSeveral(dialect, dialect.severalIn, choices)
}
