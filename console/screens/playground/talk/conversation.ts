// What was said: turns of one question and up to one answer in each column. Everything here is plain data and
// changes by being replaced.

export const MOST_COLUMNS = 4

export type AnswerState = 'loading' | 'incomplete' | 'complete' | 'error'

export interface Usage {
  readonly prompt: number
  readonly completion: number
}

/** What the books say that an answer cost. */
export interface Billed extends Usage {
  readonly quota: number
  /** The figures of the arithmetic; absent where the price is no simple product. */
  readonly ratios?: { readonly model: number; readonly completion: number; readonly group: number }
}

export interface Answer {
  readonly id: string
  readonly model: string
  readonly group: string
  readonly state: AnswerState
  readonly text: string
  readonly reasoning: string
  /** What went wrong, in words, and as it came. */
  readonly error?: { readonly message: string; readonly data: string; readonly code?: string }
  /** Ended by the reader, before the model was done. */
  readonly stopped?: true
  /** Ended by the most tokens that it may have, before the model was done. */
  readonly limited?: true
  readonly requestId?: string
  /** Tokens of what was sent, as near as can be told before anyone has counted them. */
  readonly promptEstimate?: number
  readonly usage?: Usage
  readonly billed?: Billed
  /** Milliseconds. */
  readonly firstTokenMs?: number
  readonly durationMs?: number
}

/** A picture or a PDF. */
export interface Picture {
  readonly name: string
  /** A data URL; blank when it was too large to keep across a reload. */
  readonly url: string
}

/** A text that goes with a question. */
export interface TextFile {
  readonly name: string
  readonly text: string
}

/** Other answers to the same question in the same column, on both sides of the one that is shown. */
export interface Versions {
  readonly before: readonly Answer[]
  readonly after: readonly Answer[]
}

export interface Turn {
  readonly id: string
  readonly text: string
  readonly pictures: readonly Picture[]
  readonly pdfs?: readonly Picture[]
  readonly files?: readonly TextFile[]
  /** By column. */
  readonly answers: Readonly<Record<number, Answer>>
  /** By column, where there are any. */
  readonly versions?: Readonly<Record<number, Versions>>
}

export type Conversation = readonly Turn[]

export function isRunning(answer: Answer | undefined): boolean {
  return answer?.state === 'loading' || answer?.state === 'incomplete'
}

export function anyRunning(turns: Conversation): boolean {
  return turns.some(turn => Object.values(turn.answers).some(isRunning))
}

/** Whether the last question got no answer. */
export function hasFailed(turns: Conversation): boolean {
  return Object.values(turns.at(-1)?.answers ?? {}).some(({ state }) => state === 'error')
}

/** What the answers have cost so far, by the books; NaN while they say nothing. */
export function billedQuota(turns: Conversation): number {
  const billed = turns.flatMap(turn => allAnswers(turn).flatMap(answer => answer.billed ?? []))
  return billed.length === 0 ? Number.NaN : billed.reduce((sum, { quota }) => sum + quota, 0)
}

export function countTurns(turns: Conversation): number {
  return turns.length
}

export function addTurn(turns: Conversation, turn: Turn): Conversation {
  return [...turns, turn]
}

/** The one that was there stays as an earlier version, if it said anything. */
export function setAnswer(turns: Conversation, turnId: string, column: number, answer: Answer): Conversation {
  return changeTurn(turns, turnId, turn => {
    const old = turn.answers[column]
    const { before, after } = versionsOf(turn, column)
    const worthKeeping = old && old.state === 'complete' && old.text !== '' ? [old] : []
    return showing(turn, column, answer, { before: [...before, ...worthKeeping, ...after], after: [] })
  })
}

/** The version before the one that is shown, or the one after it. */
export function showVersion(turns: Conversation, turnId: string, column: number, step: -1 | 1): Conversation {
  return changeTurn(turns, turnId, turn => {
    const shown = turn.answers[column]
    const { before, after } = versionsOf(turn, column)
    const next = step < 0 ? before.at(-1) : after[0]
    if (!shown || !next) return turn
    const around =
      step < 0
        ? { before: before.slice(0, -1), after: [shown, ...after] }
        : { before: [...before, shown], after: after.slice(1) }
    return showing(turn, column, next, around)
  })
}

export function versionsOf(turn: Turn, column: number): Versions {
  return turn.versions?.[column] ?? { before: [], after: [] }
}

function showing(turn: Turn, column: number, answer: Answer, versions: Versions): Turn {
  const { [column]: _, ...others } = turn.versions ?? {}
  const { versions: __, ...rest } = turn
  const some = versions.before.length + versions.after.length > 0 ? { ...others, [column]: versions } : others
  return {
    ...rest,
    answers: { ...turn.answers, [column]: answer },
    ...(Object.keys(some).length > 0 ? { versions: some } : {}),
  }
}

function allAnswers(turn: Turn): Answer[] {
  const others = Object.values(turn.versions ?? {}).flatMap(({ before, after }) => [...before, ...after])
  return [...Object.values(turn.answers), ...others]
}

/** Wherever the answer is by now; nothing where it is no more. */
export function changeAnswer(turns: Conversation, answerId: string, change: Partial<Answer>): Conversation {
  const changed = (answer: Answer) => (answer.id === answerId ? { ...answer, ...change } : answer)
  return turns.map(turn => {
    if (!allAnswers(turn).some(({ id }) => id === answerId)) return turn
    const answers = mapValues(turn.answers, changed)
    if (!turn.versions) return { ...turn, answers }
    const versions = mapValues(turn.versions, ({ before, after }) => ({
      before: before.map(changed),
      after: after.map(changed),
    }))
    return { ...turn, answers, versions }
  })
}

function mapValues<T>(record: Readonly<Record<number, T>>, map: (value: T) => T): Record<number, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

export function findAnswer(turns: Conversation, answerId: string): Answer | undefined {
  for (const turn of turns)
    for (const answer of Object.values(turn.answers)) if (answer.id === answerId) return answer
  return undefined
}

/** Whether there is nothing new but words, after others of their kind. */
export function isGrowth(before: Answer, after: Answer): boolean {
  return (
    before.state === 'incomplete' &&
    after.state === 'incomplete' &&
    (before.text === '') === (after.text === '') &&
    (before.reasoning === '') === (after.reasoning === '')
  )
}

/** One of its other versions takes its place, if there are any. */
export function removeAnswer(turns: Conversation, turnId: string, column: number): Conversation {
  return changeTurn(turns, turnId, turn => {
    const { before, after } = versionsOf(turn, column)
    const previous = before.at(-1)
    if (previous) return showing(turn, column, previous, { before: before.slice(0, -1), after })
    const [next, ...rest] = after
    if (next) return showing(turn, column, next, { before, after: rest })
    const { [column]: _, ...answers } = turn.answers
    return { ...turn, answers }
  })
}

export function removeTurn(turns: Conversation, turnId: string): Conversation {
  return turns.filter(turn => turn.id !== turnId)
}

/** Another question instead: what followed from the old one goes. */
export function rewriteTurn(turns: Conversation, turnId: string, text: string): Conversation {
  const at = turns.findIndex(turn => turn.id === turnId)
  const turn = turns[at]
  if (!turn) return turns
  const { versions: _, ...asked } = turn
  return [...turns.slice(0, at), { ...asked, text, answers: {} }]
}

/** The answers of a column that is taken away go with it; those to its right move up. */
export function removeColumn(turns: Conversation, column: number): Conversation {
  return turns.map(turn => ({
    ...turn,
    answers: withoutColumn(turn.answers, column),
    ...(turn.versions ? { versions: withoutColumn(turn.versions, column) } : {}),
  }))
}

function withoutColumn<T>(columns: Readonly<Record<number, T>>, column: number): Record<number, T> {
  const kept = Object.entries(columns)
    .map(([at, one]) => [Number(at), one] as const)
    .filter(([at]) => at !== column)
  return Object.fromEntries(kept.map(([at, one]) => [at > column ? at - 1 : at, one]))
}

/** What a column knows of a turn: its own answer, or the first one's where it was not there yet. */
export function answerFor(turn: Turn, column: number): Answer | undefined {
  return turn.answers[column] ?? turn.answers[0]
}

function changeTurn(turns: Conversation, turnId: string, change: (turn: Turn) => Turn): Conversation {
  return turns.map(turn => (turn.id === turnId ? change(turn) : turn))
}
