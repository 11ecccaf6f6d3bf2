import { memo } from 'react'
import type { PricedModel } from '../../../../contract/pricing.ts'
import type { StatusDocument } from '../../../../contract/system.ts'
import type { Settings } from '../ask/settings.ts'
import columns from '../chat/columns.module.css'
import type { Turn } from '../talk/conversation.ts'
import { AnswerView } from './answer-view.tsx'
import { MissingAnswer } from './missing-answer.tsx'
import { QuestionView } from './question-view.tsx'
import styles from './turn.module.css'

export interface TurnProps {
  turn: Turn
  settings: Settings
  prices: ReadonlyMap<string, PricedModel>
  groupRatio: number
  status: StatusDocument | undefined
  /** The column that small screens show. */
  shown: number
  /** Something was done here: the input takes the focus again. */
  onDone(): void
}

/** A question and its answers, one beside the other. Drawn again only when one of them changes. */
export const TurnView = memo(function TurnView(props: TurnProps) {
  const { turn, settings, shown } = props
  return (
    <article className={styles.turn}>
      <div className={columns.row} data-columns="1">
        <QuestionView turn={turn} settings={settings} onDone={props.onDone} />
      </div>
      <div className={columns.row} data-columns={settings.models.length}>
        {settings.models.map((_, column) => {
          const answer = turn.answers[column]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <div key={column} className={columns.cell} data-shown={column === shown}>
              {answer ? (
                <AnswerView {...props} answer={answer} column={column} />
              ) : (
                <MissingAnswer turnId={turn.id} column={column} settings={settings} onDone={props.onDone} />
              )}
            </div>
          )
        })}
      </div>
    </article>
  )
}, isSame)

/** Whoever hands over `onDone` makes a new one each time; it does the same. */
function isSame(before: TurnProps, after: TurnProps): boolean {
  return (
    before.turn === after.turn &&
    before.settings === after.settings &&
    before.prices === after.prices &&
    before.groupRatio === after.groupRatio &&
    before.status === after.status &&
    before.shown === after.shown
  )
}
