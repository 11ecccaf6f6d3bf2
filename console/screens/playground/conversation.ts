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
  readonly requestId?: string
  /** Tokens of what was sent, as near as can be told before anyone has counted them. */
  readonly promptEstimate?: number
  readonly usage?: Usage
  readonly billed?: Billed
  /** Milliseconds. */
  readonly firstTokenMs?: number
  readonly durationMs?: number
}

export interface Picture {
  readonly name: string
  /** A data URL; blank when it was too large to keep across a reload. */
  readonly url: string
}

export interface Turn {
  readonly id: string
  readonly text: string
  readonly pictures: readonly Picture[]
  /** By column. */
  readonly answers: Readonly<Record<number, Answer>>
}

export type Conversation = readonly Turn[]

export function isRunning(answer: Answer | undefined): boolean {
  return answer?.state === 'loading' || answer?.state === 'incomplete'
}

export function anyRunning(turns: Conversation): boolean {
  return turns.some(turn => Object.values(turn.answers).some(isRunning))
}

/** What the answers have cost so far, by the books; NaN while they say nothing. */
export function billedQuota(turns: Conversation): number {
  const billed = turns.flatMap(turn => Object.values(turn.answers).flatMap(answer => answer.billed ?? []))
  return billed.length === 0 ? Number.NaN : billed.reduce((sum, { quota }) => sum + quota, 0)
}

export function countTurns(turns: Conversation): number {
  return turns.length
}

export function addTurn(turns: Conversation, turn: Turn): Conversation {
  return [...turns, turn]
}

export function setAnswer(turns: Conversation, turnId: string, column: number, answer: Answer): Conversation {
  return changeTurn(turns, turnId, turn => ({ ...turn, answers: { ...turn.answers, [column]: answer } }))
}

/** Only while the answer is still the one that is meant: another may have taken its place. */
export function changeAnswer(turns: Conversation, answerId: string, change: Partial<Answer>): Conversation {
  return turns.map(turn => {
    const found = Object.entries(turn.answers).find(([, answer]) => answer.id === answerId)
    if (!found) return turn
    const [column, answer] = found
    return { ...turn, answers: { ...turn.answers, [column]: { ...answer, ...change } } }
  })
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

export function removeAnswer(turns: Conversation, turnId: string, column: number): Conversation {
  return changeTurn(turns, turnId, turn => {
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
  return turn ? [...turns.slice(0, at), { ...turn, text, answers: {} }] : turns
}

/** The answers of a column that is taken away go with it; those to its right move up. */
export function removeColumn(turns: Conversation, column: number): Conversation {
  return turns.map(turn => {
    const kept = Object.entries(turn.answers)
      .map(([at, answer]) => [Number(at), answer] as const)
      .filter(([at]) => at !== column)
    return { ...turn, answers: Object.fromEntries(kept.map(([at, one]) => [at > column ? at - 1 : at, one])) }
  })
}

/** What a column knows of a turn: its own answer, or the first one's where it was not there yet. */
export function answerFor(turn: Turn, column: number): Answer | undefined {
  return turn.answers[column] ?? turn.answers[0]
}

function changeTurn(turns: Conversation, turnId: string, change: (turn: Turn) => Turn): Conversation {
  return turns.map(turn => (turn.id === turnId ? change(turn) : turn))
}
