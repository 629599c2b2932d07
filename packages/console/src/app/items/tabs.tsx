/** Tabs of a page, each with its own address: `?tab=`. */
import { type ReactNode, useEffect, useRef } from 'react'
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
  const strip = useRef<HTMLElement>(null)
  // Where there is no room for all of them, the open one is among those that are seen.
  useEffect(() => {
    strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [open?.id])
  return (
    <>
      <nav ref={strip} className="tabs" aria-label={label}>
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
