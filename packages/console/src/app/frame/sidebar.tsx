/** The navigation: the pages that this administrator may see, by group; below it who is signed in. */
import { use, useEffect, useRef } from 'react'
import { frame } from '../../messages/frame.ts'
import type { Words } from '../../messages/words.ts'
import { Icon } from '../../ui/icon.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useConsole } from '../console-context.ts'
import { PageLink } from '../link.tsx'
import { type NavigationGroup, navigationGroups, type PageRow } from '../page-row.ts'
import { Brand } from './brand.tsx'
import { isReachable } from './is-reachable.ts'
import { NavigationPages } from './navigation-pages.ts'
import { PersonMenu } from './person-menu.tsx'

const groupTitles: Readonly<Record<NavigationGroup, Words | null>> = {
  overview: null,
  access: frame.groupAccess,
  people: frame.groupPeople,
  operate: frame.groupOperate,
  appearance: frame.groupAppearance,
}

export function Sidebar({ openPalette }: { readonly openPalette: () => void }) {
  const say = useSay()
  const console = useConsole()
  const pages = use(NavigationPages).filter((page) => page.group !== null && isReachable(page, console))
  const list = useRef<HTMLElement>(null)
  // The list may be longer than the window: it begins where one is.
  useEffect(() => {
    // Nothing is returned: some browsers answer with a promise, which React would take for a way to clean up.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  const mac = navigator.platform.startsWith('Mac')
  return (
    <aside className="sidebar" aria-label={say(frame.console)}>
      <Brand />
      <button type="button" className="palette-button" onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" size={16} />
        {say(frame.search)}
        <kbd>{mac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <nav ref={list} className="nav" aria-label={say(frame.navigation)}>
        {navigationGroups
          .map((group) => ({ group, rows: pages.filter((page) => page.group === group) }))
          .filter(({ rows }) => rows.length > 0)
          .map(({ group, rows }) => (
            <NavigationList key={group} title={groupTitles[group]} rows={rows} />
          ))}
      </nav>
      <PersonMenu />
    </aside>
  )
}

function NavigationList({ title, rows }: { readonly title: Words | null; readonly rows: readonly PageRow[] }) {
  const say = useSay()
  return (
    <div>
      {title === null ? null : <h2>{say(title)}</h2>}
      <ul>
        {rows.map(({ path, icon, title: name }) => (
          <li key={path}>
            <PageLink to={path} className="nav-link" covers={path !== '/'}>
              <Icon name={icon} size={18} />
              {say(name)}
            </PageLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
