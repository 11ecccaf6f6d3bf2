import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { Segments } from '../../ui/fields/segments.tsx'
import { TimeRange } from '../../ui/fields/time-range.tsx'
import { FilterSelect } from '../../ui/lists/filter-bar.tsx'
import { detailText } from './catalogue.ts'
import { type DetailSearch, spans, units } from './choices.ts'
import styles from './detail.module.css'
import type { Period } from './period.ts'

const spanLabels = { '24h': 'range.day', '7d': 'range.week', '30d': 'range.month' } as const

interface ToolbarProps {
  period: Period
  change(search: DetailSearch): void
}

/** Which time, and how finely it is cut. */
export function Toolbar({ period, change }: ToolbarProps) {
  const t = useText(detailText)
  const shell = useText(shellText)
  return (
    <div className={styles.toolbar}>
      <Segments
        label={t('window')}
        value={period.span}
        options={spans.map(span => ({ value: span, label: shell(spanLabels[span]) }))}
        onChange={span => change({ span, start: undefined, end: undefined, unit: undefined })}
      />
      <TimeRange
        label={t('custom')}
        start={period.from}
        end={period.span === undefined ? period.to + 1 : undefined}
        onChange={({ start, end }) => change({ span: undefined, start, end, unit: undefined })}
      />
      <FilterSelect
        label={t('unit')}
        value={period.unit}
        options={units
          .filter(unit => period.units.includes(unit))
          .map(unit => ({ value: unit, label: t(unit) }))}
        onChange={chosen => change({ unit: units.find(unit => unit === chosen) })}
      />
    </div>
  )
}
