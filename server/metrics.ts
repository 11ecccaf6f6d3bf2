/** Counters, gauges and histograms in Prometheus' terms, small enough to sit on hot paths. */

type Labels = Readonly<Record<string, string | number>>
type Kind = 'counter' | 'gauge' | 'histogram'

/** What travels between processes when the workers' figures are put together. */
export interface MetricFamily {
  readonly name: string
  readonly kind: Kind
  readonly help: string
  readonly samples: readonly { readonly name: string; readonly labels: string; readonly value: number }[]
}

interface Metric {
  collect(): MetricFamily
}

const registry: Metric[] = []

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, '_')}"`)
    .join(',')
}

export function counter(name: string, help: string) {
  const values = new Map<string, number>()
  const add = (labels: string, by: number) => values.set(labels, (values.get(labels) ?? 0) + by)
  registry.push({
    collect: () => ({
      name,
      kind: 'counter',
      help,
      samples: [...values].map(([labels, value]) => ({ name, labels, value })),
    }),
  })
  return {
    increment: (labels: Labels = {}, by = 1) => add(labelText(labels), by),
    /** For hot paths: the label text is made once. */
    bound: (labels: Labels) => {
      const text = labelText(labels)
      return (by = 1) => add(text, by)
    },
  }
}

/** A value read at the moment of asking. */
export function gauge(name: string, help: string, read: () => number, labels: Labels = {}): void {
  const text = labelText(labels)
  registry.push({
    collect: () => ({ name, kind: 'gauge', help, samples: [{ name, labels: text, value: read() }] }),
  })
}

/** For labels that people choose: so many are told apart, and the others are one. */
export function atMost(most: number): (value: string) => string {
  const known = new Set<string>()
  return value => {
    if (known.has(value)) return value
    if (known.size >= most) return 'other'
    known.add(value)
    return value
  }
}

export function histogram(name: string, help: string, bounds: readonly number[]) {
  const series = new Map<string, { counts: number[]; sum: number; count: number }>()
  registry.push({
    collect: () => ({
      name,
      kind: 'histogram',
      help,
      samples: [...series].flatMap(([labels, { counts, sum, count }]) => {
        const prefix = labels === '' ? '' : `${labels},`
        let running = 0
        const buckets = bounds.map((bound, at) => {
          running += counts[at] ?? 0
          return { name: `${name}_bucket`, labels: `${prefix}le="${bound}"`, value: running }
        })
        return [
          ...buckets,
          { name: `${name}_bucket`, labels: `${prefix}le="+Inf"`, value: count },
          { name: `${name}_sum`, labels, value: sum },
          { name: `${name}_count`, labels, value: count },
        ]
      }),
    }),
  })
  return {
    bound(labels: Labels) {
      const text = labelText(labels)
      const mine = series.get(text) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 }
      series.set(text, mine)
      return (value: number) => {
        mine.sum += value
        mine.count++
        const at = bounds.findIndex(bound => value <= bound)
        if (at >= 0) mine.counts[at] = (mine.counts[at] ?? 0) + 1
      }
    },
  }
}

export function collectMetrics(): MetricFamily[] {
  return registry.map(metric => metric.collect())
}

/** The text of several processes' families, each sample marked with the worker it came from. */
export function renderMetrics(
  processes: readonly { worker: string; families: readonly MetricFamily[] }[],
): string {
  const names = new Map<string, MetricFamily>()
  for (const { families } of processes) for (const family of families) names.set(family.name, family)
  const lines: string[] = []
  for (const [name, { kind, help }] of names) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`)
    for (const { worker, families } of processes)
      for (const family of families)
        if (family.name === name)
          for (const sample of family.samples) {
            const labels = [`worker="${worker}"`, sample.labels].filter(part => part !== '').join(',')
            lines.push(`${sample.name}{${labels}} ${sample.value}`)
          }
  }
  return `${lines.join('\n')}\n`
}
