/** In the place of what could not be loaded: why, and a way to try again. */
import { ApiProblem } from '../../api/problem.ts'
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { useConsole } from '../console-context.ts'
import { SignInNeeded } from '../session/session.ts'

interface FaultProps {
  readonly error: unknown
  readonly retry?: () => void
  readonly whole?: boolean
  /** As the router calls it. */
  readonly reset?: () => void
}

export function PageFault({ error, retry, reset, whole = reset !== undefined }: FaultProps) {
  const say = useSay()
  const { session } = useConsole()
  const retried = retry ?? reset
  const again = (): void => {
    session.askAgain()
    retried?.()
  }
  if (error instanceof ApiProblem && error.status === 403)
    return <Empty whole={whole} icon="lock" title={say(frame.notAllowed)} text={error.message} />
  if (error instanceof ApiProblem && error.status === 404)
    return <Empty whole={whole} icon="search" title={say(frame.notFound)} text={say(frame.notFoundText)} />
  const other =
    error instanceof SignInNeeded ? frame.sessionEnded : reset === undefined ? frame.unreachable : frame.broken
  const text = error instanceof ApiProblem ? error.message : say(other)
  return (
    <Empty whole={whole} icon="warning" title={say(frame.cannotLoad)} text={text}>
      {retried === undefined ? null : (
        <Button icon="refresh" onClick={again}>
          {say(frame.tryAgain)}
        </Button>
      )}
    </Empty>
  )
}
