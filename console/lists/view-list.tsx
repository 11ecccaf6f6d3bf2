import { Pencil, Pin, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import { toast } from '../ui/layers/toast.ts'
import { listText } from './catalogue.ts'
import styles from './options-panel.module.css'
import type { ListOptions } from './use-list-options.ts'
import { ViewName } from './view-name.tsx'
import type { View } from './views.ts'

const UNDO_MS = 6000

interface ViewListProps {
  options: ListOptions<unknown>
  close(): void
}

/** The saved views of a list, and a way to save another. Whoever has none sees only that. */
export function ViewList({ options, close }: ViewListProps) {
  const t = useText(listText)
  const shell = useText(shellText)
  const { views, current, origin, go } = options
  /** The view whose name is being changed; '' for a new one. */
  const [naming, setNaming] = useState<string>()
  const part = useRef<HTMLDivElement>(null)
  const done = () => {
    setNaming(undefined)
    // What was pressed is gone, and the place of the field is taken by this.
    requestAnimationFrame(() => part.current?.querySelector<HTMLElement>('[data-new]')?.focus())
  }
  const remove = (view: View) => {
    views.remove(view)
    done()
    toast.success(t('view.deleted', { name: view.name }), {
      label: shell('undo.action'),
      milliseconds: UNDO_MS,
      act: () => views.restore(view),
    })
  }
  const act = (name: string, action: string, icon: ReactNode, onClick: () => void, isPressed?: boolean) => (
    <button
      type="button"
      className={styles.act}
      aria-label={shell('table.actionOn', { action, name })}
      title={action}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      {icon}
    </button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is nothing to fill in until something is to be named
    <div ref={part} role="group" aria-label={t('views')} className={styles.part}>
      {views.all.length > 0 && (
        <ul className={styles.views}>
          {views.all.map(view => (
            <li key={view.name} className={styles.view}>
              {naming === view.name ? (
                <ViewName
                  name={view.name}
                  isTaken={name => name !== view.name && views.all.some(one => one.name === name)}
                  save={name => {
                    views.rename(view, name)
                    done()
                  }}
                  cancel={done}
                />
              ) : (
                <>
                  <button
                    type="button"
                    className={styles.go}
                    title={view.name}
                    aria-current={view === current || undefined}
                    onClick={() => {
                      close()
                      go(view)
                    }}
                  >
                    {view.name}
                  </button>
                  {act(
                    view.name,
                    t('pin'),
                    <Pin size={14} aria-hidden fill={view.pinned ? 'currentColor' : 'none'} />,
                    () => views.pin(view, !view.pinned),
                    view.pinned,
                  )}
                  {act(view.name, t('rename'), <Pencil size={14} aria-hidden />, () => setNaming(view.name))}
                  {act(view.name, t('delete'), <Trash2 size={14} aria-hidden />, () => remove(view))}
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {naming === '' ? (
        <ViewName
          name={origin}
          isTaken={name => views.all.some(one => one.name === name)}
          canReplace
          save={name => {
            options.save(name)
            done()
          }}
          cancel={done}
        />
      ) : (
        <button type="button" className={styles.new} data-new onClick={() => setNaming('')}>
          <Plus size={14} aria-hidden />
          {t('view.new')}
        </button>
      )}
    </div>
  )
}
