import { Copy, Pencil, RotateCw, Trash2 } from 'lucide-react'
import { memo, Suspense, useState } from 'react'
import { shellText } from '../../../locales/catalogue.ts'
import { useText } from '../../../text.ts'
import { copyText } from '../../../ui/content/copy.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { AnswerCost } from '../ask/answer-cost.tsx'
import { GrowingText } from '../markdown/growing-text.tsx'
import { playgroundText } from '../models/catalogue.ts'
import { type Answer, isRunning } from '../talk/conversation.ts'
import { deleteAnswer, editAnswer, generate } from '../talk/conversation-store.ts'
import { AnswerError } from './answer-error.tsx'
import { Reasoning } from './reasoning.tsx'
import { TextEditor } from './text-editor.tsx'
import { ToolButton } from './tool-button.tsx'
import styles from './turn.module.css'
import type { TurnProps } from './turn-view.tsx'
import { VersionPager } from './version-pager.tsx'

const Markdown = lazyPart(() => import('../markdown/markdown.tsx'))

interface AnswerProps extends TurnProps {
  answer: Answer
  column: number
}

export const AnswerView = memo(function AnswerView(props: AnswerProps) {
  const { turn, answer, column, settings, onDone } = props
  const t = useText(playgroundText)
  const shell = useText(shellText)
  const [editing, setEditing] = useState(false)
  const running = isRunning(answer)
  const close = () => {
    setEditing(false)
    onDone()
  }
  return (
    <div className={styles.answer} data-state={answer.state} aria-busy={running}>
      <h3 className={styles.who}>
        <span className={styles.model}>{answer.model}</span>
        {answer.stopped && <span className={styles.note}>{t('answer.stopped')}</span>}
        {answer.limited && <span className={styles.note}>{t('answer.limited')}</span>}
      </h3>
      {answer.reasoning !== '' && <Reasoning answer={answer} thinking={running && answer.text === ''} />}
      {answer.state === 'loading' && (
        <p className={styles.waiting}>
          <span className={styles.pulse} />
          {t('answer.loading')}
        </p>
      )}
      {editing ? (
        <TextEditor
          label={t('answer.edit')}
          text={answer.text}
          action={shell('action.save')}
          onCancel={close}
          onSave={text => {
            editAnswer(answer.id, text)
            close()
          }}
        />
      ) : (
        answer.text !== '' && (
          <Suspense fallback={<GrowingText answer={answer} part="text" className={styles.plain} />}>
            <Markdown answer={answer} />
          </Suspense>
        )
      )}
      {answer.error && <AnswerError error={answer.error} />}
      <AnswerCost answer={answer} prices={props.prices} groupRatio={props.groupRatio} status={props.status} />
      {!running && !editing && (
        <div className={styles.tools}>
          <VersionPager {...props} />
          {answer.text !== '' && (
            <ToolButton label={t('answer.copy')} icon={Copy} onClick={() => copyText(answer.text)} />
          )}
          <ToolButton
            label={t('answer.regenerate')}
            icon={RotateCw}
            onClick={() => {
              generate(turn.id, column, settings)
              onDone()
            }}
          />
          {answer.text !== '' && (
            <ToolButton label={t('answer.edit')} icon={Pencil} onClick={() => setEditing(true)} />
          )}
          <ToolButton
            label={t('answer.delete')}
            icon={Trash2}
            onClick={() => {
              deleteAnswer(turn.id, column)
              onDone()
            }}
          />
        </div>
      )}
    </div>
  )
})
