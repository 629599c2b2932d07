/** The frame around every page: navigation, palette, the dialogs of the session. */
import { Dialog } from '@base-ui/react/dialog'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { frame } from '../../messages/frame.ts'
import { IconButton } from '../../ui/button.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { ReceiptNotes } from '../receipts/receipt-notes.tsx'
import { InterruptionDialog } from '../session/interruption-dialog.tsx'
import { Brand } from './brand.tsx'
import { Palette } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'

export function Frame() {
  const say = useSay()
  const [drawer, setDrawer] = useState(false)
  const [palette, setPalette] = useState(false)
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setPalette((open) => !open)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  // Who does not see the page change hears it: the focus goes to the new one, but not with the first.
  const first = useRef(true)
  useEffect(() => {
    setDrawer(false)
    if (first.current) first.current = false
    else main.current?.focus({ preventScroll: true })
  }, [path])

  // With room for the list beside the page the drawer has nothing to show.
  useEffect(() => {
    const wide = matchMedia('(min-width: 56rem)')
    const close = (): void => setDrawer(false)
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [])

  const openPalette = (): void => {
    setDrawer(false)
    setPalette(true)
  }
  return (
    <>
      <a className="skip" href="#content">
        {say(frame.skip)}
      </a>
      <div className="frame">
        <header className="topbar">
          <IconButton icon="menu" kind="quiet" label={say(frame.openNavigation)} onClick={() => setDrawer(true)} />
          <Brand />
          <IconButton icon="search" kind="quiet" label={say(frame.search)} onClick={openPalette} />
        </header>
        <Sidebar openPalette={openPalette} />
        <main id="content" className="content" ref={main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Dialog.Root open={drawer} onOpenChange={setDrawer}>
        <Dialog.Portal>
          <Dialog.Backdrop className="backdrop" />
          <Dialog.Popup className="drawer" aria-label={say(frame.navigation)}>
            <Sidebar openPalette={openPalette} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <Palette open={palette} onClose={() => setPalette(false)} />
      <InterruptionDialog />
      <ReceiptNotes />
    </>
  )
}
