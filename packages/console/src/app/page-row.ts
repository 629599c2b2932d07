/** What a page of the console is: one row of the table in pages.ts, from which addresses, navigation and palette follow. */
import type { ReactNode } from 'react'
import type { Words } from '../messages/words.ts'
import type { IconName } from '../ui/icon.tsx'

export interface PageRow {
  /** Below the console; `$id` stands for a part of the address. */
  readonly path: string
  readonly title: Words
  readonly icon: IconName
  /** The scope without which there is nothing to see; null asks for none. */
  readonly right: string | null
  /** Whether it is about the whole deployment: the consoles of tenants do not have it. */
  readonly ofDeployment?: true
  /** Where it stands in the navigation; null for pages that others lead to. */
  readonly group: NavigationGroup | null
  readonly load: () => Promise<{ readonly Page: () => ReactNode }>
  /** More that the palette offers: things to do, by the address where they are done. */
  readonly actions?: readonly PageAction[]
}

export interface PageAction {
  readonly title: Words
  readonly path: string
  readonly icon: IconName
  readonly right: string
}

export const navigationGroups = ['overview', 'access', 'people', 'operate', 'appearance'] as const
export type NavigationGroup = (typeof navigationGroups)[number]
