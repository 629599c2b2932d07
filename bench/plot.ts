/** Bar charts as SVG, without a library: readable on light and dark backgrounds, without scripts or fonts. */
import type { Spread } from './statistics.ts'

export interface Bar {
  readonly label: string
  readonly note: string
  readonly value: Spread
  /** Highlighted, because the chart is about it. */
  readonly ours: boolean
}

export interface Chart {
  readonly title: string
  readonly subtitle: string
  readonly unit: string
  readonly bars: readonly Bar[]
  /** A line across all bars: the target. */
  readonly mark?: { readonly value: number; readonly label: string }
}

const width = 760
const left = 200
const right = 70
const top = 94
const row = 46
const thickness = 20

export function barChart({ title, subtitle, unit, bars, mark }: Chart): string {
  const most = Math.max(...bars.map((bar) => bar.value.most), mark?.value ?? 0)
  const step = niceStep(most / 5)
  const end = Math.ceil(most / step) * step
  const x = (value: number): number => Number((left + (value / end) * (width - left - right)).toFixed(1))
  const bottom = top + bars.length * row
  const height = bottom + 44
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, n) => n * step)
  const grid = ticks
    .map(
      (tick) =>
        `<line class="grid" x1="${x(tick)}" y1="${top - 8}" x2="${x(tick)}" y2="${bottom}"/>` +
        `<text class="tick" x="${x(tick)}" y="${bottom + 18}" text-anchor="middle">${tick}</text>`,
    )
    .join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
${chartStyle}
<text class="title" x="20" y="30">${escaped(title)}</text>
<text class="subtitle" x="20" y="50">${escaped(subtitle)}</text>
${grid}
${bars.map((bar, n) => drawn(bar, n, x)).join('\n')}
${mark === undefined ? '' : drawnMark(mark, x, bottom)}
<text class="tick" x="${width - 20}" y="${bottom + 36}" text-anchor="end">${escaped(unit)}</text>
</svg>
`
}

function drawn({ label, note, value, ours }: Bar, n: number, x: (value: number) => number): string {
  const y = top + n * row + (row - thickness) / 2
  const middle = y + thickness / 2
  return [
    `<text class="label" x="${left - 12}" y="${middle - 1}" text-anchor="end">${escaped(label)}</text>`,
    `<text class="note" x="${left - 12}" y="${middle + 13}" text-anchor="end">${escaped(note)}</text>`,
    `<rect class="${ours ? 'ours' : 'theirs'}" x="${left}" y="${y}" width="${(x(value.median) - left).toFixed(1)}" height="${thickness}" rx="3"/>`,
    // The whisker: the minimum and maximum of all rounds.
    `<path class="whisker" d="M${x(value.least)} ${middle}H${x(value.most)}M${x(value.least)} ${middle - 4}v8M${x(value.most)} ${middle - 4}v8"/>`,
    `<text class="value" x="${x(value.most) + 8}" y="${middle + 4}">${value.median}</text>`,
  ].join('\n')
}

const drawnMark = (
  { value, label }: { value: number; label: string },
  x: (value: number) => number,
  bottom: number,
): string =>
  `<line class="mark" x1="${x(value)}" y1="${top - 8}" x2="${x(value)}" y2="${bottom}"/>` +
  `<text class="marked" x="${x(value)}" y="${top - 13}" text-anchor="middle">${escaped(label)}</text>`

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10)
}

export const escaped = (raw: string): string =>
  raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export const chartStyle = `<style>
text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1f2328}
.title{font-size:16px;font-weight:600}.subtitle,.note,.tick,.marked{font-size:11.5px;fill:#59636e}
.label{font-size:13px;font-weight:500}.value{font-size:13px;font-weight:600}
.grid{stroke:#d1d9e0;stroke-width:1}.theirs{fill:#9aa4af}.ours{fill:#2f6f4f}
.whisker{stroke:#1f2328;stroke-width:1.2;fill:none;opacity:.65}.mark{stroke:#b35900;stroke-width:1.5;stroke-dasharray:4 3}.marked{fill:#b35900}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.subtitle,.note,.tick{fill:#9198a1}.grid{stroke:#3d444d}.theirs{fill:#656c76}.ours{fill:#57ab7a}.whisker{stroke:#e6edf3}.mark{stroke:#f0a04b}.marked{fill:#f0a04b}}
</style>`
