/** What pages are made of: headers, cards, facts, badges, notices, empty states. */
import { type ReactNode, useState } from 'react'
import { frame } from '../messages/frame.ts'
import { Icon, type IconName } from './icon.tsx'
import { useSay } from './preferences.tsx'

interface HeaderProps {
  readonly title: ReactNode
  readonly text?: ReactNode
  readonly above?: ReactNode
  readonly actions?: ReactNode
}

export function PageHeader({ title, text, above, actions }: HeaderProps) {
  return (
    <header className="page-header">
      <div className="page-header-text">
        {above}
        <h1>{title}</h1>
        {text === undefined ? null : <p>{text}</p>}
      </div>
      {actions === undefined ? null : <div className="row">{actions}</div>}
    </header>
  )
}

interface CardProps {
  readonly title?: ReactNode
  readonly text?: ReactNode
  readonly actions?: ReactNode
  readonly footer?: ReactNode
  /** Whether the content reaches the edges, as tables do. */
  readonly flush?: boolean
  readonly children?: ReactNode
}

export function Card({ title, text, actions, footer, flush = false, children }: CardProps) {
  return (
    <section className="card">
      {title === undefined ? null : (
        <div className="card-header">
          <h2>{title}</h2>
          {actions === undefined ? null : <div className="row">{actions}</div>}
          {text === undefined ? null : <p>{text}</p>}
        </div>
      )}
      {children === undefined ? null : flush ? children : <div className="card-body">{children}</div>}
      {footer === undefined ? null : <div className="card-footer">{footer}</div>}
    </section>
  )
}

export type Fact = readonly [name: string, value: ReactNode]

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export type Tone = 'plain' | 'done' | 'warning' | 'danger' | 'info'

interface BadgeProps {
  readonly tone?: Tone
  /** The whole of it, where it may be cut. */
  readonly title?: string
  readonly children: ReactNode
}

export function Badge({ tone = 'plain', title, children }: BadgeProps) {
  return (
    <span className={tone === 'plain' ? 'badge' : `badge badge-${tone}`} title={title}>
      {children}
    </span>
  )
}

const noticeIcons = { info: 'info', warning: 'warning', danger: 'warning', done: 'check' } as const

interface NoticeProps {
  readonly tone?: keyof typeof noticeIcons
  readonly title?: ReactNode
  readonly children?: ReactNode
}

export function Notice({ tone = 'info', title, children }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`}>
      <Icon name={noticeIcons[tone]} />
      <div>
        {title === undefined ? null : <strong>{title}</strong>}
        {children}
      </div>
    </div>
  )
}

interface EmptyProps {
  readonly icon: IconName
  readonly title: ReactNode
  readonly text?: ReactNode
  /** Whether it is all that there is on the page: then it is its heading, too. */
  readonly whole?: boolean
  /** What to do about it. */
  readonly children?: ReactNode
}

export function Empty({ icon, title, text, whole = false, children }: EmptyProps) {
  const Heading = whole ? 'h1' : 'h2'
  return (
    <div className="empty">
      <Icon name={icon} size={32} />
      <Heading>{title}</Heading>
      {text === undefined ? null : <p>{text}</p>}
      {children === undefined ? null : <div className="row">{children}</div>}
    </div>
  )
}

/** Texts of strangers: on one line, whole in the title, and no mark of theirs turns the text around them. */
export function Clip({ children, mono = false }: { readonly children: string; readonly mono?: boolean }) {
  return (
    <span className={mono ? 'clip mono' : 'clip'} title={children} dir="auto">
      {children}
    </span>
  )
}

/** One more than this is shown rather than counted. */
const few = 4

/** Short words side by side; of many, the first few and a button for the rest. */
export function Chips({ items }: { readonly items: readonly string[] }) {
  const say = useSay()
  const [whole, setWhole] = useState(false)
  const shown = whole || items.length <= few + 1 ? items : items.slice(0, few)
  const left = items.length - shown.length
  return (
    <span className="chips">
      {shown.map((item) => (
        <span className="chip" key={item}>
          {item}
        </span>
      ))}
      {left === 0 ? null : (
        <button
          type="button"
          className="chip chip-more"
          aria-label={say(frame.showMore, { n: left })}
          onClick={() => setWhole(true)}
        >
          {say(frame.alsoHidden, { n: left })}
        </button>
      )}
    </span>
  )
}

/** Bars in the place of text that is on its way. */
export const Skeleton = ({ width = '60%' }: { readonly width?: string }) => (
  <span className="skeleton" style={{ inlineSize: width }} />
)
