import type { KeyboardEvent } from 'react'
import styles from './operation.module.css'

interface ViewSwitchProps<V extends string> {
  label: string
  views: readonly { readonly id: V; readonly label: string }[]
  current: V
  /** The id of the element that shows the view. */
  controls: string
  onChange(view: V): void
}

/** The tabs of a section that can be edited in more than one way. */
export function ViewSwitch<V extends string>({
  label,
  views,
  current,
  controls,
  onChange,
}: ViewSwitchProps<V>) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = views.findIndex(({ id }) => id === current)
    const next = views[(at + step + views.length) % views.length]
    if (!next) return
    onChange(next.id)
    const tabs = event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')
    tabs[views.indexOf(next)]?.focus()
  }
  return (
    <div className={styles.views} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {views.map(view => (
        <button
          key={view.id}
          type="button"
          role="tab"
          className={styles.view}
          aria-selected={view.id === current}
          aria-controls={controls}
          tabIndex={view.id === current ? 0 : -1}
          onClick={() => onChange(view.id)}
        >
          {view.label}
        </button>
      ))}
    </div>
  )
}
