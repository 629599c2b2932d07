/** Tabs of a page, each with its own address: `?tab=`. */
import type { ReactNode } from 'react'
import { PageLink, usePathParams, useSearchParams } from '../link.tsx'

export interface Tab {
  readonly id: string
  readonly title: string
  readonly content: () => ReactNode
}

export function Tabs({
  to,
  label,
  tabs,
}: {
  readonly to: string
  readonly label: string
  readonly tabs: readonly Tab[]
}) {
  const params = usePathParams()
  const { tab } = useSearchParams()
  const [first] = tabs
  const open = tabs.find(({ id }) => id === tab) ?? first
  return (
    <>
      <nav className="tabs" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <PageLink
            key={id}
            to={to}
            params={params}
            search={id === first?.id ? {} : { tab: id }}
            className="tab"
            current={id === open?.id}
          >
            {title}
          </PageLink>
        ))}
      </nav>
      {open?.content()}
    </>
  )
}
