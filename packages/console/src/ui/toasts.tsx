/** Short notes in the corner on what was done; they go by themselves, and are read out. */
import { Toast } from '@base-ui/react/toast'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { frame } from '../messages/frame.ts'
import { IconButton } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { useSay } from './preferences.tsx'

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider limit={2}>
      {children}
      <Toast.Portal>
        <ToastViewport />
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastViewport() {
  const { toasts } = Toast.useToastManager()
  const viewport = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (viewport.current !== null) uncoverFocus(viewport.current)
  }, [toasts])
  return (
    <Toast.Viewport ref={viewport} className="toasts">
      <ToastList toasts={toasts} />
    </Toast.Viewport>
  )
}

/** What was pressed may be pressed again: the page goes up as far as the notes would lie over it. */
function uncoverFocus(viewport: HTMLElement): void {
  const pressed = document.activeElement
  if (pressed === null || pressed.closest('main') === null) return
  const [notes, button] = [viewport.getBoundingClientRect(), pressed.getBoundingClientRect()]
  const isBeside = button.right <= notes.left || button.left >= notes.right
  const covered = button.bottom - notes.top
  if (notes.height > 0 && !isBeside && covered > 0 && button.top < notes.bottom) scrollBy({ top: covered + 8 })
}

function ToastList({ toasts }: Pick<ReturnType<typeof Toast.useToastManager>, 'toasts'>) {
  const say = useSay()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Icon name={iconOf(toast.type)} size={18} />
      <Toast.Content className="toast-text">
        <Toast.Title />
        <Toast.Description className="muted" />
      </Toast.Content>
      {/* It can be reached by the keyboard as long as it is there, and so it is told, too. */}
      <Toast.Close
        aria-hidden={false}
        render={<IconButton icon="close" size="small" kind="quiet" label={say(frame.close)} />}
      />
    </Toast.Root>
  ))
}

const iconOf = (type: string | undefined): IconName =>
  type === 'error' ? 'warning' : type === 'waiting' ? 'clock' : 'check'

export interface Toasts {
  done(title: string): void
  failed(title: string, description: string): void
  /** A note that changes as something goes on, and goes when that is over. `onClose` also where a person closes it. */
  readonly follow: (title: string, onClose: () => void) => FollowedToast
}

export interface FollowedToast {
  say(title: string, description: string): void
  end(): void
  drop(): void
}

/** Milliseconds that the end of it can be read. */
const readable = 12_000

export function useToasts(): Toasts {
  const { add, update, close } = Toast.useToastManager()
  const follow = useCallback<Toasts['follow']>(
    (title, onClose) => {
      const id = add({ title, type: 'waiting', timeout: 0, onClose })
      return {
        say: (now, description) => update(id, { title: now, description }),
        end: () => update(id, { type: 'done', timeout: readable }),
        drop: () => close(id),
      }
    },
    [add, update, close],
  )
  return {
    follow,
    done: (title) => void add({ title, type: 'done' }),
    failed: (title, description) => void add({ title, description, type: 'error', timeout: 10_000 }),
  }
}
