/** Before the console: signs in, or says why that did not work and offers another try. */
import { type ReactNode, useEffect, useState } from 'react'
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { failureText } from '../failure-text.ts'
import type { Place } from '../place.ts'
import { type Authorization, openAuthorization, SignInFailed } from './authorization.ts'
import { restoreDrafts } from './drafts.ts'
import { endpointProblem } from './endpoint-problem.ts'
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
  const tryAgain = async (failure: unknown): Promise<void> => {
    try {
      await beginAgain(place, failure)
    } catch (error) {
      // Where it was to lead is known from the first failure.
      setState({
        kind: 'failed',
        error: failure instanceof SignInFailed ? new SignInFailed(failure.way, error) : error,
      })
    }
  }
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
  const { error } = state
  const cause = error instanceof SignInFailed ? error.cause : error
  return (
    <main className="centre">
      <h1>{say(frame.signInFailed)}</h1>
      <p>{failureText(endpointProblem(cause), say)}</p>
      <Button kind="primary" onClick={() => void tryAgain(error)}>
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
let opened: Promise<Authorization> | null = null

const authorizationAt = (place: Place): Promise<Authorization> => (opened ??= openAuthorization(place, sessionStorage))

const signIn = (place: Place, arrive: (path: string) => void): Promise<Session> =>
  (underWay ??= authorizationAt(place).then((it) => arriveOrLeave(it, place, arrive)))

/** Nothing was taken out of the storage yet where it failed before the way back: the page begins as it did. */
async function beginAgain(place: Place, error: unknown): Promise<void> {
  if (error instanceof SignInFailed) await (await authorizationAt(place)).begin(error.way)
  else location.reload()
}

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
