import { type DragEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PricedModel } from '../../../../contract/pricing.ts'
import { useStatus } from '../../../status.ts'
import { useText } from '../../../text.ts'
import type { Settings } from '../ask/settings.ts'
import { playgroundText } from '../models/catalogue.ts'
import styles from '../playground.module.css'
import { anyRunning, countTurns, hasFailed } from '../talk/conversation.ts'
import { send, stop, useConversation, useFigure } from '../talk/conversation-store.ts'
import { useDraftMessage } from '../talk/use-draft-message.ts'
import { type TurnProps, TurnView } from '../turn/turn-view.tsx'
import { ChatHead } from './chat-head.tsx'
import { ColumnHeads } from './column-heads.tsx'
import { Composer } from './composer.tsx'
import { EmptyChat } from './empty-chat.tsx'
import { FollowingScroller } from './following-scroller.tsx'

export interface ChatProps {
  settings: Settings
  prices: ReadonlyMap<string, PricedModel>
  groupRatio: number
  input: RefObject<HTMLTextAreaElement | null>
  onOpenPanel(): void
  onRemoveModel(column: number): void
}

export function Chat({ settings, prices, groupRatio, input, onOpenPanel, onRemoveModel }: ChatProps) {
  const t = useText(playgroundText)
  const draft = useDraftMessage()
  const running = useFigure(anyRunning)
  const count = useFigure(countTurns)
  const status = useStatus()
  const [shown, setShown] = useState(0)
  const column = Math.min(shown, settings.models.length - 1)
  const focusInput = () => input.current?.focus()

  const sendDraft = () => {
    if (running || draft.isEmpty) return
    const { pictures, pdfs, files } = draft
    send({ text: draft.text.trim(), pictures, pdfs, files }, settings)
    draft.clear()
    focusInput()
  }
  useStopKey(running, focusInput)
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    draft.addFiles([...event.dataTransfer.files])
    focusInput()
  }
  return (
    <section
      className={styles.chat}
      aria-label={t('nav.chat')}
      onDrop={drop}
      onDragOver={event => event.preventDefault()}
    >
      <ChatHead settings={settings} onOpenPanel={onOpenPanel} onCleared={focusInput} />
      {settings.models.length > 1 && (
        <ColumnHeads models={settings.models} shown={column} onShow={setShown} onRemove={onRemoveModel} />
      )}
      {count === 0 ? (
        <EmptyChat
          onPick={text => {
            draft.setText(text)
            focusInput()
          }}
        />
      ) : (
        <FollowingScroller label={t('conversation')} running={running} count={count}>
          <Turns
            settings={settings}
            prices={prices}
            groupRatio={groupRatio}
            status={status}
            shown={column}
            onDone={focusInput}
          />
        </FollowingScroller>
      )}
      <Composer
        draft={draft}
        running={running}
        input={input}
        onSend={sendDraft}
        onStop={() => {
          stop()
          focusInput()
        }}
      />
      <Announcer running={running} />
    </section>
  )
}

/** The only part that is drawn again while an answer comes. */
function Turns(props: Omit<TurnProps, 'turn'>) {
  return useConversation().map(turn => <TurnView key={turn.id} turn={turn} {...props} />)
}

/** Esc stops, wherever the focus is, unless something open takes it first. */
function useStopKey(running: boolean, after: () => void): void {
  const onStop = useEffectEvent((event: KeyboardEvent) => {
    const elsewhere = event.target instanceof HTMLElement && event.target.closest('[role="dialog"]')
    if (event.key !== 'Escape' || !running || elsewhere || event.defaultPrevented) return
    event.preventDefault()
    stop()
    after()
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => onStop(event)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Tells screen readers when an answer begins and ends; word by word would be noise. */
function Announcer({ running }: { running: boolean }) {
  const t = useText(playgroundText)
  const ever = useRef(false)
  const failed = useFigure(hasFailed)
  if (running) ever.current = true
  return (
    <p role="status" className={styles.hidden}>
      {/* What went wrong is told by an alert of its own. */}
      {running ? t('announce.running') : ever.current && !failed ? t('announce.done') : ''}
    </p>
  )
}
