import { Settings2 } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useText } from '../text.ts'
import { lazyPart } from '../ui/page/lazy-part.ts'
import { listText } from './catalogue.ts'
import styles from './options-menu.module.css'
import type { ListOptions } from './use-list-options.ts'

const OptionsPanel = lazyPart(() => import('./options-panel.tsx'))

/** How high rows are, which columns there are, and the views that someone has saved. */
export function OptionsMenu<Row>({ options }: { options: ListOptions<Row> }) {
  const t = useText(listText)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpened, setOpened] = useState(false)
  useEffect(() => {
    if (!isOpened) return
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpened(false)
    }
    addEventListener('pointerdown', onPress, true)
    return () => removeEventListener('pointerdown', onPress, true)
  }, [isOpened])
  const close = () => {
    setOpened(false)
    button.current?.focus({ preventScroll: true })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes it from anywhere inside
    <div
      ref={root}
      className={styles.root}
      onKeyDown={event => {
        if (event.key === 'Escape' && isOpened) close()
      }}
      onBlur={event => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpened(false)
      }}
    >
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        aria-expanded={isOpened}
        aria-label={t('options')}
        title={t('options')}
        onClick={() => setOpened(!isOpened)}
      >
        <Settings2 size={16} aria-hidden />
      </button>
      {isOpened && (
        <Suspense>
          <OptionsPanel options={options as ListOptions<unknown>} close={close} />
        </Suspense>
      )}
    </div>
  )
}
