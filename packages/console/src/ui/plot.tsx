/** A plot of counts over time, drawn by uPlot in the colours of the theme; in words for who does not see it. */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { usePreferences } from './preferences.tsx'

export interface PlotSeries {
  readonly name: string
  readonly values: readonly number[]
  /** One of the colours of plots, from 1. */
  readonly colour: number
}

interface PlotProps {
  readonly label: string
  /** Seconds since 1970, one for each value. */
  readonly times: readonly number[]
  readonly series: readonly PlotSeries[]
}

const height = 180

export function Plot({ label, times, series }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const { language, theme } = usePreferences()
  const dark = useSyncExternalStore(subscribe, isDark)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const colour = (name: string): string => getComputedStyle(element).getPropertyValue(name)
    const probe = coloursIn(element)
    const axis = { stroke: probe('--muted'), grid: { stroke: probe('--line'), width: 1 }, ticks: { show: false } }
    const hours = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })
    const font = `11px ${colour('font-family')}`
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 6 } },
        scales: { y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] } },
        axes: [
          // Room for “08:00 PM” and a gap.
          { ...axis, font, space: 80, values: (_, splits) => splits.map((at) => hours.format(at * 1000)) },
          { ...axis, font, size: 44, values: (_, splits) => splits.map((n) => (Number.isInteger(n) ? String(n) : '')) },
        ],
        series: [
          {},
          ...series.map((it) => ({
            label: it.name,
            stroke: probe(`--plot-${it.colour}`),
            width: 2,
            points: { show: false },
          })),
        ],
      },
      [[...times], ...series.map(({ values }) => [...values])],
      element,
    )
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resized.observe(element)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [times, series, language, theme, dark])
  const words = series.map(({ name, values }) => `${name}: ${values.reduce((sum, n) => sum + n, 0)}`).join(', ')
  return (
    <figure className="plot">
      <div ref={box} className="plot-canvas" role="img" aria-label={`${label}. ${words}`} />
      <figcaption className="plot-legend">
        {series.map(({ name, values, colour }) => (
          <span key={name}>
            <span className="plot-key" style={{ background: `var(--plot-${colour})` }} />
            {name} <strong>{values.reduce((sum, n) => sum + n, 0)}</strong>
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

/** What the system prefers: a canvas keeps the colours it was drawn in until it is drawn again. */
const system = matchMedia('(prefers-color-scheme: dark)')
const isDark = (): boolean => system.matches
const subscribe = (listener: () => void): (() => void) => {
  system.addEventListener('change', listener)
  return () => system.removeEventListener('change', listener)
}

/** A canvas takes no variables: what they come to is asked of an element that has them. */
function coloursIn(element: HTMLElement): (name: string) => string {
  return (name) => {
    const sample = document.createElement('span')
    sample.style.color = `var(${name})`
    element.append(sample)
    const { color } = getComputedStyle(sample)
    sample.remove()
    return color
  }
}
