import { ActionIcon, Button } from '@mantine/core'
import { ArrowUp, FileText, Paperclip, Square, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useText } from '../../../text.ts'
import { playgroundText } from '../models/catalogue.ts'
import type { DraftMessage } from '../talk/use-draft-message.ts'
import styles from './composer.module.css'

interface ComposerProps {
  draft: DraftMessage
  running: boolean
  input: RefObject<HTMLTextAreaElement | null>
  onSend(): void
  onStop(): void
}

export function Composer({ draft, running, input, onSend, onStop }: ComposerProps) {
  const t = useText(playgroundText)
  const files = useRef<HTMLInputElement>(null)
  useGrowing(input, draft.text)
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also chooses a word in an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onSend()
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0) return
    event.preventDefault()
    draft.addFiles(pasted)
  }
  return (
    <div className={styles.composer}>
      {draft.fault && (
        <p role="alert" className={styles.fault}>
          {draft.fault}
        </p>
      )}
      <div className={styles.box}>
        {draft.pictures.length + draft.pdfs.length + draft.files.length > 0 && <Attached draft={draft} />}
        <textarea
          ref={input}
          className={styles.input}
          rows={1}
          aria-label={t('composer.label')}
          placeholder={t('composer.placeholder')}
          value={draft.text}
          onChange={event => draft.setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <div className={styles.tools}>
          <ActionIcon
            variant="subtle"
            size={32}
            className={styles.tool}
            aria-label={t('composer.picture')}
            title={t('composer.picture')}
            onClick={() => files.current?.click()}
          >
            <Paperclip size={18} aria-hidden />
          </ActionIcon>
          <input
            ref={files}
            type="file"
            hidden
            multiple
            onChange={event => {
              draft.addFiles([...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ''
              input.current?.focus()
            }}
          />
          <span className={styles.keys}>{t('composer.keys')}</span>
          {running ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<Square size={12} aria-hidden />}
              onClick={onStop}
            >
              {t('composer.stop')}
            </Button>
          ) : (
            <Button
              size="xs"
              disabled={draft.isEmpty}
              leftSection={<ArrowUp size={14} aria-hidden />}
              onClick={onSend}
            >
              {t('composer.send')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

function Attached({ draft }: { draft: DraftMessage }) {
  const t = useText(playgroundText)
  return (
    <ul className={styles.pictures}>
      {draft.pictures.map(picture => (
        <li key={picture.url} className={styles.picture}>
          <img src={picture.url} alt={picture.name} />
          <button
            type="button"
            aria-label={t('picture.remove', { name: picture.name })}
            onClick={() => draft.remove(picture)}
          >
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
      {[...draft.pdfs, ...draft.files].map((file, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two PDFs may have one name
        <li key={`${at} ${file.name}`} className={styles.picture}>
          <span className={styles.file}>
            <FileText size={16} aria-hidden />
            {file.name}
          </span>
          <button
            type="button"
            aria-label={t('picture.remove', { name: file.name })}
            onClick={() => draft.remove(file)}
          >
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** As high as what is written, up to what the style allows. */
function useGrowing(input: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = input.current
    if (!element) return
    element.style.height = 'auto'
    if (text !== '') element.style.height = `${element.scrollHeight}px`
  }, [input, text])
}
