/** Links and ways between pages, by their paths in the table of pages. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ButtonLook, buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { SearchParams } from './search-params.ts'

export interface Way {
  /** As in the table: `/clients/$id`. */
  readonly to: string
  readonly params?: Readonly<Record<string, string>>
  readonly search?: SearchParams
}

// The routes come from a table, so the router knows their paths as text only.
const routed = ({ to, params = {}, search = {} }: Way) => ({ to, params, search }) as never

interface PageLinkProps extends Way {
  readonly className?: string
  readonly title?: string
  /** Whether it counts as the open page for the pages below it too. */
  readonly covers?: boolean
  /** Whether it is the open one, where its address alone does not tell. */
  readonly current?: boolean
  readonly children: ReactNode
}

export function PageLink({ className, title, covers = false, current = false, children, ...way }: PageLinkProps) {
  return (
    <Link
      {...(routed(way) as { to: string })}
      className={className}
      title={title}
      aria-current={current ? 'page' : undefined}
      activeOptions={{ exact: !covers, includeSearch: !covers }}
    >
      {children}
    </Link>
  )
}

export function ButtonLink({ kind, size, icon, children, ...way }: Way & ButtonLook & { children: ReactNode }) {
  const look = { ...(kind === undefined ? {} : { kind }), ...(size === undefined ? {} : { size }) }
  return (
    <PageLink {...way} className={buttonClass(look)}>
      {icon === undefined ? null : <Icon name={icon} size={18} />}
      {children}
    </PageLink>
  )
}

/** The page above this one. */
export function Crumb({ children, ...way }: Way & { children: ReactNode }) {
  return (
    <PageLink {...way} className="crumb">
      <Icon name="left" size={14} />
      {children}
    </PageLink>
  )
}

export type Go = (way: Way & { readonly replace?: boolean; readonly state?: object }) => void

export function useGo(): Go {
  const navigate = useNavigate()
  return ({ replace = false, state, ...way }) =>
    void navigate({ ...(routed(way) as object), replace, ...(state === undefined ? {} : { state }) } as never)
}

export const usePathParams = (): Readonly<Record<string, string>> => useParams({ strict: false })

export const useSearchParams = (): SearchParams => useSearch({ strict: false })
