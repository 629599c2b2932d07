/** Curves as SVG on two logarithmic axes, in the style of the bar charts. */
import { chartStyle, escaped } from './plot.ts'

export interface Curve {
  readonly label: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
  /** Highlighted, because the chart is about it. */
  readonly ours: boolean
}

export interface Curves {
  readonly title: string
  readonly subtitle: string
  readonly xUnit: string
  readonly yUnit: string
  readonly curves: readonly Curve[]
  /** Horizontal lines that show targets. */
  readonly marks: readonly { readonly y: number; readonly label: string }[]
}

const [width, height] = [760, 426]
/** The edges of the drawing area; on the right there is room for the longest label. */
const [left, right, top, bottom] = [70, 190, 106, 366]
/** Least distance between the baselines of two labels. */
const labelGap = 16

export function curveChart({ title, subtitle, xUnit, yUnit, curves, marks }: Curves): string {
  const points = curves.flatMap((curve) => curve.points)
  const xs = [...new Set(points.map((point) => point.x))].toSorted((a, b) => a - b)
  const ys = [...points.map((point) => point.y), ...marks.map((mark) => mark.y)].filter((y) => y > 0)
  const [low, high] = [Math.floor(Math.log10(Math.min(...ys))), Math.ceil(Math.log10(Math.max(...ys)))]
  const [first, last] = [Math.log10(xs[0] ?? 1), Math.log10(xs.at(-1) ?? 10)]
  const x = (value: number): number =>
    fixed(left + 24 + ((Math.log10(value) - first) / (last - first || 1)) * (width - left - right - 48))
  // Zero is drawn at the bottom, because it has no logarithm.
  const y = (value: number): number =>
    fixed(bottom - ((Math.max(low, Math.log10(value)) - low) / (high - low)) * (bottom - top))
  const decades = Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
${chartStyle}
${curveStyle}
<text class="title" x="20" y="30">${escaped(title)}</text>
<text class="subtitle" x="20" y="50">${escaped(subtitle)}</text>
<text class="tick" x="20" y="${top - 28}">${escaped(yUnit)}</text>
${decades.map((tick) => gridLine(y(tick), Number(tick.toPrecision(1)))).join('\n')}
${xs.map((tick) => `<text class="tick" x="${x(tick)}" y="${bottom + 20}" text-anchor="middle">${tick}</text>`).join('\n')}
<text class="tick" x="${width - 20}" y="${bottom + 42}" text-anchor="end">${escaped(xUnit)}</text>
${marks.map((mark) => drawnMark(y(mark.y), mark.label)).join('\n')}
${curves.map((curve) => drawn(curve, x, y)).join('\n')}
${labels(curves, x, y)}
</svg>
`
}

type Scale = (value: number) => number

function drawn({ points, ours }: Curve, x: Scale, y: Scale): string {
  const path = points.map((at, n) => `${n === 0 ? 'M' : 'L'}${x(at.x)} ${y(at.y)}`).join('')
  const dots = points.map(
    (at) => `<circle class="${ours ? 'ours' : 'theirs'}" cx="${x(at.x)}" cy="${y(at.y)}" r="3.5"/>`,
  )
  return [`<path class="curve ${ours ? 'strong' : 'faint'}" d="${path}"/>`, ...dots].join('\n')
}

/** Labels after the last point of each curve; if two would overlap, the lower one moves. */
function labels(curves: readonly Curve[], x: Scale, y: Scale): string {
  const ends = curves.flatMap(({ label, points }) => points.slice(-1).map((end) => ({ label, end })))
  let free = -Infinity
  return ends
    .toSorted((a, b) => b.end.y - a.end.y)
    .map(({ label, end }) => {
      const at = Math.max(y(end.y) + 4, free)
      free = at + labelGap
      return `<text class="value" x="${x(end.x) + 12}" y="${fixed(at)}">${escaped(label)} ${end.y}</text>`
    })
    .join('\n')
}

const gridLine = (y: number, tick: number): string =>
  `<line class="grid" x1="${left}" y1="${y}" x2="${width - right}" y2="${y}"/>` +
  `<text class="tick" x="${left - 10}" y="${y + 4}" text-anchor="end">${tick}</text>`

const drawnMark = (y: number, label: string): string =>
  `<line class="mark" x1="${left}" y1="${y}" x2="${width - right}" y2="${y}"/>` +
  `<text class="marked" x="${left + 8}" y="${y - 6}">${escaped(label)}</text>`

const fixed = (value: number): number => Number(value.toFixed(1))

const curveStyle = `<style>
.curve{fill:none;stroke-width:2.2}.strong{stroke:#2f6f4f}.faint{stroke:#9aa4af}
@media(prefers-color-scheme:dark){.strong{stroke:#57ab7a}.faint{stroke:#656c76}}
</style>`
