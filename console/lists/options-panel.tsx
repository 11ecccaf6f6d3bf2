import { useEffect, useRef } from 'react'
import { useText } from '../text.ts'
import { densities, useDensity } from '../ui/table/density.ts'
import { useNarrow } from '../ui/use-narrow.ts'
import { listText } from './catalogue.ts'
import styles from './options-panel.module.css'
import type { ListOptions } from './use-list-options.ts'
import { ViewList } from './view-list.tsx'

const words = { compact: 'density.compact', normal: 'density.normal', touch: 'density.touch' } as const

interface OptionsPanelProps {
  options: ListOptions<unknown>
  close(): void
}

export default function OptionsPanel({ options, close }: OptionsPanelProps) {
  const t = useText(listText)
  const panel = useRef<HTMLDivElement>(null)
  const [density, setDensity] = useDensity()
  const isNarrow = useNarrow()
  const { columns, choice } = options
  useEffect(() => {
    const element = panel.current
    if (!element) return
    // Where its button stands too far left, it would begin outside the window.
    const { left } = element.getBoundingClientRect()
    if (left < 8) element.style.transform = `translateX(${8 - left}px)`
    element.querySelector<HTMLElement>(':checked')?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={panel} role="dialog" aria-label={t('options')} className={styles.panel}>
      <fieldset className={styles.part}>
        <legend className={styles.legend}>{t('density')}</legend>
        <div className={styles.densities}>
          {densities.map(one => (
            <label key={one} className={styles.density}>
              <input type="radio" name="density" checked={one === density} onChange={() => setDensity(one)} />
              <span>{t(words[one])}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset className={styles.part}>
        <legend className={styles.legend}>{t('columns')}</legend>
        <div className={styles.columns}>
          {/* What makes a row recognisable stays, and cards never have some of them. */}
          {columns
            .filter(({ heading, wideOnly }) => !heading && !(isNarrow && wideOnly))
            .map(({ id, header }) => (
              <label key={id} className={styles.column}>
                <input type="checkbox" checked={!choice.hidden.has(id)} onChange={() => choice.toggle(id)} />
                {header}
              </label>
            ))}
        </div>
      </fieldset>
      <ViewList options={options} close={close} />
    </div>
  )
}
