/** The beginning: signs in, then opens the console at the address that was asked for. */
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { ConsoleContext, consoleContext } from './app/console-context.ts'
import { NavigationPages } from './app/frame/navigation-pages.ts'
import { pages } from './app/pages.ts'
import { placeOf } from './app/place.ts'
import { openQueryClient } from './app/query-client.ts'
import { fetchPages, openRouter } from './app/router.tsx'
import { SignInGate } from './app/session/sign-in-gate.tsx'
import type { Session } from './app/session/session.ts'
import { applyTheme, firstTheme, PreferencesProvider } from './ui/preferences.tsx'
import './ui/style/index.css'
import { ToastProvider } from './ui/toasts.tsx'

applyTheme(firstTheme())
const place = placeOf(location.origin, location.pathname)
const queries = openQueryClient()

/** Milliseconds after which the first page is there, and the others may be fetched. */
const patience = 1000

function Console({ session }: { readonly session: Session }) {
  const context = useMemo(() => consoleContext(place, session), [session])
  const router = useMemo(() => openRouter(place.basePath), [])
  useEffect(() => {
    const later = setTimeout(() => void fetchPages(), patience)
    return () => clearTimeout(later)
  }, [])
  return (
    <ConsoleContext value={context}>
      <NavigationPages value={pages}>
        <RouterProvider router={router} />
      </NavigationPages>
    </ConsoleContext>
  )
}

const arrive = (path: string): void => history.replaceState(null, '', path)

const root = document.querySelector('#root')
if (root !== null)
  createRoot(root).render(
    // The policy of the page allows no style elements; ours are in the sheet.
    <CSPProvider disableStyleElements>
      <PreferencesProvider>
        <ToastProvider>
          <QueryClientProvider client={queries}>
            <SignInGate place={place} arrive={arrive}>
              {(session) => <Console session={session} />}
            </SignInGate>
          </QueryClientProvider>
        </ToastProvider>
      </PreferencesProvider>
    </CSPProvider>,
  )
