/** The routes, from the table of pages: each is loaded with its first visit, inside of the frame. */
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { frame } from '../messages/frame.ts'
import { Empty } from '../ui/content.tsx'
import { useSay } from '../ui/preferences.tsx'
import { Frame } from './frame/frame.tsx'
import { PageFault } from './frame/page-fault.tsx'
import { GuardedPage } from './frame/guarded-page.tsx'
import { usePageTitle } from './frame/use-page-title.ts'
import { ButtonLink } from './link.tsx'
import { lazyPage } from './lazy-page.tsx'
import { pages } from './pages.ts'
import { parseSearch, stringifySearch } from './search-params.ts'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: PageFault })

const lazyPages = pages.map((page) => ({ page, ...lazyPage(page.load) }))
const routes = lazyPages.map(({ page, Page }) =>
  createRoute({
    getParentRoute: () => root,
    path: page.path,
    component: () => (
      <GuardedPage page={page}>
        <Page />
      </GuardedPage>
    ),
  }),
)

/**
 * All pages, one after the other while there is nothing else to do: a server that restarts, or comes back as another
 * version, takes none of them away from a console that is open.
 */
export async function fetchPages(): Promise<void> {
  for (const { load } of lazyPages) await load().catch(() => {})
}

export const openRouter = (basePath: string) =>
  createRouter({
    routeTree: root.addChildren(routes),
    basepath: basePath,
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: PageFault,
  })

export function NotFound() {
  const say = useSay()
  usePageTitle(frame.notFound)
  return (
    <Empty whole icon="search" title={say(frame.notFound)} text={say(frame.notFoundText)}>
      <ButtonLink to="/">{say(frame.toHome)}</ButtonLink>
    </Empty>
  )
}
