/** Counters, gauges and histograms in Prometheus' terms, small enough to sit on hot paths. */

type LabelValue = string | number
type Labels = Readonly<Record<string, LabelValue>>
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
  const counts = new Map<string, { value: number }>()
  registry.push({
    collect: () => ({
      name,
      kind: 'counter',
      help,
      samples: [...counts].map(([labels, { value }]) => ({ name, labels, value })),
    }),
  })
  const add = (labels: Labels, by: number): { value: number } => {
    const text = labelText(labels)
    const count = counts.get(text) ?? { value: 0 }
    count.value += by
    counts.set(text, count)
    return count
  }
  return {
    increment(labels: Labels = {}, by = 1): void {
      add(labels, by)
    },
    /** For hot paths: the label text is made once. */
    bound(labels: Labels) {
      let count: { value: number } | undefined
      return (by = 1): void => {
        if (count) count.value += by
        else count = add(labels, by)
      }
    },
    /** The same for every pair of values of two labels. */
    byPairs(first: string, second: string) {
      const known = new Map<LabelValue, Map<LabelValue, () => void>>()
      const learn = (one: LabelValue, other: LabelValue): (() => void) => {
        const row = known.get(one) ?? new Map<LabelValue, () => void>()
        const count = this.bound({ [first]: one, [second]: other })
        known.set(one, row.set(other, count))
        return count
      }
      return (one: LabelValue, other: LabelValue): void => {
        const count = known.get(one)?.get(other) ?? learn(one, other)
        count()
      }
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

/** The same for things that come and go: one value each. */
export function gauges(
  name: string,
  help: string,
  read: () => readonly { readonly labels: Labels; readonly value: number }[],
): void {
  registry.push({
    collect: () => ({
      name,
      kind: 'gauge',
      help,
      samples: read().map(({ labels, value }) => ({ name, labels: labelText(labels), value })),
    }),
  })
}

/** For labels that people choose: so many are told apart, and the others are one. */
export function atMost(most: number): <Value extends LabelValue>(value: Value) => Value | 'other' {
  const known = new Set<LabelValue>()
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
        let at = 0
        while (value > (bounds[at] ?? value)) at++
        if (at < bounds.length) mine.counts[at] = (mine.counts[at] ?? 0) + 1
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
