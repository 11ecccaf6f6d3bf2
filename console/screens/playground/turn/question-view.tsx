import { Copy, FileText, Image, Pencil, Trash2 } from 'lucide-react'
import { memo, useState } from 'react'
import { useText } from '../../../text.ts'
import { copyText } from '../../../ui/content/copy.ts'
import type { Settings } from '../ask/settings.ts'
import { playgroundText } from '../models/catalogue.ts'
import type { Turn } from '../talk/conversation.ts'
import { deleteTurn, resend } from '../talk/conversation-store.ts'
import { TextEditor } from './text-editor.tsx'
import { ToolButton } from './tool-button.tsx'
import styles from './turn.module.css'

interface QuestionProps {
  turn: Turn
  settings: Settings
  onDone(): void
}

/** Stays as it is while its answers grow. */
export const QuestionView = memo(function QuestionView({ turn, settings, onDone }: QuestionProps) {
  const t = useText(playgroundText)
  const [editing, setEditing] = useState(false)
  if (editing)
    return (
      <TextEditor
        label={t('question.edit')}
        text={turn.text}
        action={t('question.resend')}
        onCancel={() => {
          setEditing(false)
          onDone()
        }}
        onSave={text => {
          setEditing(false)
          resend(turn.id, text.trim(), settings)
          onDone()
        }}
      />
    )
  return (
    <div className={styles.question}>
      <div className={styles.top}>
        <h2 className={styles.who}>{t('question.you')}</h2>
        <div className={styles.tools}>
          <ToolButton label={t('question.copy')} icon={Copy} onClick={() => copyText(turn.text)} />
          <ToolButton label={t('question.edit')} icon={Pencil} onClick={() => setEditing(true)} />
          <ToolButton
            label={t('question.delete')}
            icon={Trash2}
            onClick={() => {
              deleteTurn(turn.id)
              onDone()
            }}
          />
        </div>
      </div>
      {(turn.pictures.length > 0 || turn.pdfs) && <Pictures turn={turn} />}
      {turn.files?.map(file => (
        <details key={file.name} className={styles.file}>
          <summary>{file.name}</summary>
          <code>{file.text}</code>
        </details>
      ))}
      {turn.text !== '' && <p className={styles.said}>{turn.text}</p>}
    </div>
  )
}, isSame)

function isSame(before: QuestionProps, after: QuestionProps): boolean {
  return (
    before.turn.id === after.turn.id &&
    before.turn.text === after.turn.text &&
    before.turn.pictures === after.turn.pictures &&
    before.settings === after.settings
  )
}

function Pictures({ turn }: { turn: Turn }) {
  const t = useText(playgroundText)
  return (
    <ul className={styles.pictures}>
      {turn.pdfs?.map(({ name, url }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        <li key={at} className={url ? styles.pdf : styles.gone} title={url ? name : t('picture.gone')}>
          <FileText size={14} aria-hidden />
          {name}
        </li>
      ))}
      {turn.pictures.map(({ name, url }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        <li key={at}>
          {url ? (
            <img src={url} alt={name} />
          ) : (
            <span className={styles.gone} title={t('picture.gone')}>
              <Image size={14} aria-hidden />
              {name}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
