/** How the scope of a token comes about: what is left after each step, and what each took away. */
import { preview } from '../../messages/clients.ts'
import type { Words } from '../../messages/words.ts'
import { Chips } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'

export interface ScopeStep {
  readonly step: 'asked' | 'client' | 'person' | 'consent' | 'token'
  readonly scope: string
  readonly unanswered?: string
}

const titles: Readonly<Record<ScopeStep['step'], Words>> = {
  asked: preview.stepAsked,
  client: preview.stepClient,
  person: preview.stepPerson,
  consent: preview.stepConsent,
  token: preview.stepToken,
}

const namesIn = (text: string): readonly string[] => text.split(' ').filter((it) => it !== '')

export function ScopeChain({ steps }: { readonly steps: readonly ScopeStep[] }) {
  const say = useSay()
  return (
    <ol className="scope-chain" aria-label={say(preview.chain)}>
      {steps.map(({ step, scope, unanswered = '' }, at) => {
        const left = namesIn(scope)
        const lost = namesIn(steps[at - 1]?.scope ?? scope).filter((name) => !left.includes(name))
        return (
          <li key={step}>
            <strong>{say(titles[step])}</strong>
            <div>
              {left.length === 0 ? <span className="muted">{say(preview.nothingLeft)}</span> : <Chips items={left} />}
              {lost.length === 0 ? null : (
                <p className="scope-lost">
                  {say(preview.takenAway)}{' '}
                  {lost.map((name) => (
                    <del key={name}>{name}</del>
                  ))}
                </p>
              )}
              {unanswered === '' ? null : (
                <p className="muted small">{say(preview.unanswered, { scope: unanswered })}</p>
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
