/** Before the console: signs in, or says why that did not work and offers another try. */
import { type ReactNode, useEffect, useState } from 'react'
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { failureText } from '../failure-text.ts'
import type { Place } from '../place.ts'
import { type Authorization, openAuthorization } from './authorization.ts'
import { restoreDrafts } from './drafts.ts'
import { Session } from './session.ts'

type State =
  | { readonly kind: 'working' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'in'; readonly session: Session }

interface GateProps {
  readonly place: Place
  /** Where the way into the console leads, before the router reads the address. */
  readonly arrive: (path: string) => void
  readonly children: (session: Session) => ReactNode
}

export function SignInGate({ place, arrive, children }: GateProps) {
  const say = useSay()
  const [state, setState] = useState<State>({ kind: 'working' })
  useEffect(() => {
    let left = false
    signIn(place, arrive).then(
      (session) => (left ? undefined : setState({ kind: 'in', session })),
      (error: unknown) => (left ? undefined : setState({ kind: 'failed', error })),
    )
    return () => {
      left = true
    }
  }, [place, arrive])

  if (state.kind === 'in') {
    const { session } = state
    return session.isAdministrator ? children(session) : <NotAdministrator place={place} session={session} />
  }
  if (state.kind === 'working')
    return (
      <main className="centre" aria-busy="true">
        <h1 className="hidden-label">{say(frame.console)}</h1>
        <p>{say(frame.signingIn)}</p>
      </main>
    )
  return (
    <main className="centre">
      <h1>{say(frame.signInFailed)}</h1>
      <p>{failureText(state.error, say)}</p>
      <Button kind="primary" onClick={() => location.assign(place.basePath)}>
        {say(frame.tryAgain)}
      </Button>
    </main>
  )
}

function NotAdministrator({ place, session }: { readonly place: Place; readonly session: Session }) {
  const say = useSay()
  return (
    <main className="centre">
      <h1>{say(frame.notAdministrator)}</h1>
      <p dir="auto">{say(frame.notAdministratorText, { name: session.person.name, issuer: place.issuer })}</p>
      <Button kind="primary" onClick={session.signOut}>
        {say(frame.anotherAccount)}
      </Button>
    </main>
  )
}

/** Once per load: React may run an effect twice, a code is good for one. */
let underWay: Promise<Session> | null = null

const signIn = (place: Place, arrive: (path: string) => void): Promise<Session> =>
  (underWay ??= openAuthorization(place, sessionStorage).then((it) => arriveOrLeave(it, place, arrive)))

async function arriveOrLeave(
  authorization: Authorization,
  place: Place,
  arrive: (path: string) => void,
): Promise<Session> {
  const here = new URL(location.href)
  const isCallback = here.pathname === `${place.basePath}/callback`
  const finished = isCallback ? await authorization.finish(here) : null
  if (finished === null) {
    const returnTo = isCallback ? place.basePath : here.pathname + here.search + here.hash
    return authorization.begin({ returnTo, subject: null, drafts: {} })
  }
  restoreDrafts(finished.drafts)
  arrive(finished.returnTo)
  return new Session(authorization, finished.signedIn)
}
