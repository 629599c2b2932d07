/** A small registry behind the metrics port, and its text for scraping (Prometheus exposition format 0.0.4). */
import { type Labels, metricHelp, type MetricName } from './metrics.ts'

export interface MetricsRegistry<Name extends string = MetricName> {
  count(name: Name, labels?: Labels, by?: number): void
  observe(name: Name, value: number, labels?: Labels): void
  gauge(name: Name, labels: Labels, read: () => number): void
  text(): string
}

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Seconds; from ten microseconds (a warm validation) to ten seconds. */
const buckets = [0.000_01, 0.000_05, 0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 10]
/** Label values come from us, but a mistake in one must not eat the memory of the process. */
const mostSeries = 10_000

interface Histogram {
  readonly counts: number[]
  sum: number
  total: number
}

const emptyHistogram = (): Histogram => ({ counts: buckets.map(() => 0), sum: 0, total: 0 })

/** `help` names what may be counted, and says what it is. */
export function createMetricsRegistry<Name extends string = MetricName>(
  help: Readonly<Record<string, string>> = metricHelp,
): MetricsRegistry<Name> {
  const counters = new Map<string, Map<string, number>>()
  const histograms = new Map<string, Map<string, Histogram>>()
  const gauges = new Map<string, Map<string, () => number>>()

  function series<T>(families: Map<string, Map<string, T>>, name: string, key: string, first: () => T): Map<string, T> {
    let family = families.get(name)
    if (family === undefined) families.set(name, (family = new Map()))
    if (!family.has(key) && family.size < mostSeries) family.set(key, first())
    return family
  }

  const head = (name: string, type: string) => [`# HELP ${name} ${help[name] ?? ''}`, `# TYPE ${name} ${type}`]

  return {
    count(name, labels = {}, by = 1) {
      const key = labelText(labels)
      const family = series(counters, name, key, () => 0)
      const held = family.get(key)
      if (held !== undefined) family.set(key, held + by)
    },
    observe(name, value, labels = {}) {
      const key = labelText(labels)
      const held = series(histograms, name, key, emptyHistogram).get(key)
      if (held === undefined) return
      const bucket = buckets.findIndex((most) => value <= most)
      if (bucket >= 0) held.counts[bucket] = (held.counts[bucket] ?? 0) + 1
      held.sum += value
      held.total += 1
    },
    gauge(name, labels, read) {
      const key = labelText(labels)
      series(gauges, name, key, () => read).set(key, read)
    },
    text() {
      const lines = [
        ...[...counters].flatMap(([name, family]) => [
          ...head(name, 'counter'),
          ...[...family].map(([labels, value]) => `${name}${braced(labels)} ${value}`),
        ]),
        ...[...gauges].flatMap(([name, family]) => [
          ...head(name, 'gauge'),
          ...[...family].map(([labels, read]) => `${name}${braced(labels)} ${read()}`),
        ]),
        ...[...histograms].flatMap(([name, family]) => [
          ...head(name, 'histogram'),
          ...[...family].flatMap(([labels, held]) => histogramLines(name, labels, held)),
        ]),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}

function histogramLines(name: string, labels: string, { counts, sum, total }: Histogram): string[] {
  let below = 0
  const lines = buckets.map((most, i) => {
    below += counts[i] ?? 0
    return `${name}_bucket${braced(join(labels, `le="${most}"`))} ${below}`
  })
  return [
    ...lines,
    `${name}_bucket${braced(join(labels, 'le="+Inf"'))} ${total}`,
    `${name}_sum${braced(labels)} ${sum}`,
    `${name}_count${braced(labels)} ${total}`,
  ]
}

const join = (labels: string, more: string): string => (labels === '' ? more : `${labels},${more}`)
const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`)

/** Whoever counts often does it with one and the same object: what it says is not written out again. */
let last: { readonly labels: Labels; readonly text: string } = { labels: {}, text: '' }

function labelText(labels: Labels): string {
  if (labels !== last.labels) last = { labels, text: writtenOut(labels) }
  return last.text
}

/** On the way of every request: built by hand, and escaped only where something needs it. */
function writtenOut(labels: Labels): string {
  let text = ''
  for (const [name, value] of Object.entries(labels)) {
    const plain = /[\\"\n]/.test(value) ? escaped(value) : value
    text += text === '' ? `${name}="${plain}"` : `,${name}="${plain}"`
  }
  return text
}

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
